#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/training/job/check_layout.hpp"
#include "models/training/job/training_job.hpp"
#include "models/training/memory/memory_fit.hpp"
#include "models/training/search/layout_budget.hpp"

#include "reports/document/document.hpp"

#include "tools/model/job_options.hpp"
#include "tools/model/job_parts.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {
namespace {

constexpr std::int64_t max_fleet_gpus = 1'000'000;

struct LayoutSearchOptions {
    NetworkOptions network;
    MachineOptions machines;
    LayoutOptions ranks;
    StackOptions stack;
    std::int64_t max_micro_batch{16};
    std::vector<std::string> precisions;
    std::size_t keep{10};
    std::string operators;
    std::optional<MoneyRate> price;
    std::vector<std::string> fleets;
    std::optional<double> tokens;
    std::optional<double> budget;
    std::optional<Duration> deadline;
};

/// What every layout tried has in common.
OptionTable<LayoutOptions> common_options() {
    return layout_options()
        .describe("--tensor", "tensor-parallel ranks (default: searched)")
        .describe("--pipeline", "pipeline stages (default: searched)")
        .describe("--chunks", "model chunks per stage, interleaved (default: searched)")
        .describe("--context", "context-parallel ranks (default: searched for long sequences)")
        .describe("--expert", "expert-parallel ranks, out of the data ranks (default: searched)")
        .describe("--data", "data-parallel ranks (default: searched)")
        .describe("--micro-batch", "sequences per replica and pass (default: searched)")
        .describe("--global-batch", "sequences per step (default: the number of GPUs)")
        .describe("--sharding", "states sharded over data ranks (default: searched)")
        .describe("--recompute",
                  "activations recomputed in the backward pass, in all layers or every N-th "
                  "(default: searched)")
        .describe("--sequence-parallel",
                  "sequence parallelism over the tensor ranks (default: searched)");
}

OptionTable<LayoutSearchOptions> layout_search_options() {
    using T = LayoutSearchOptions;
    return option_table<T>(
               {{&T::network, network_options()},
                {&T::machines, machine_options()},
                {&T::ranks, common_options()},
                {&T::stack, stack_options()},
                {{"--largest-micro-batch", &T::max_micro_batch, whole_in(up_to(max_fleet_gpus))},
                 "largest micro-batch tried; powers of two"},
                {{"--precisions", &T::precisions, precision_list()},
                 "number formats tried (default: --precision)"},
                {{"--keep", &T::keep, whole_in(up_to(100'000))}, "layouts shown"},
                {{"--operators", &T::operators, file_name()},
                 "measured kernels and collectives of the GPU (CSV), in place of formulas"},
                {{"--price", &T::price, gpu_hour_price()},
                 "price of a GPU, e.g. \"2.10 USD/gpu-h\""},
                {{"--fleet", &T::fleets, word("GPU:N@RATE")},
                 "GPUs to choose from in place of --gpu, --gpus and --price; may be repeated: "
                 "\"H100:1024@2.10 USD/gpu-h\""},
                {{"--tokens", &T::tokens, real_in(any_size, "N")},
                 "tokens to train; adds time and cost of the run"},
                {{"--budget", &T::budget, real_in(any_size, "USD")}, "maximum cost of the run"},
                {{"--deadline", &T::deadline, time_span("TIME")},
                 "maximum duration of the run, e.g. 30 d"}})
        .excludes("--largest-micro-batch", {"--micro-batch"});
}

/// What the options ask for, looked up in the catalogues.
struct LayoutQuestion {
    TrainingJob job;                 ///< its layout is ignored
    std::vector<FleetOption> fleets; ///< one or more
    ChosenStack stack;
    LayoutSpace space;
    std::optional<TrainingGoal> goal; ///< absent: layouts of one fleet, for any length of run
};

/// "A100-80GB:256@1.29 USD/gpu-h"
FleetOption fleet_option(const std::string& text, const NodeOptions& nodes) {
    const std::size_t colon = text.find(':');
    const std::size_t at = text.find('@');
    std::int64_t gpus = 0;
    const bool has_both = colon != std::string::npos && at != std::string::npos && colon < at;
    if (has_both) {
        const char* end = text.data() + at;
        const auto read = std::from_chars(text.data() + colon + 1, end, gpus);
        if (read.ec != std::errc{} || read.ptr != end)
            gpus = 0;
    }
    if (gpus < 1 || gpus > max_fleet_gpus)
        throw ModelError{"--fleet",
                         fmt::format("\"{}\" is not a fleet", text),
                         "write GPU:COUNT@PRICE, e.g. H100:1024@2.10 USD/gpu-h"};
    return {nodes.cluster_of(text.substr(0, colon), "--fleet", gpus),
            gpus,
            gpu_hour_price(text.substr(at + 1), "--fleet")};
}

std::vector<FleetOption> fleets_of(const LayoutSearchOptions& options) {
    std::vector<FleetOption> found;
    for (const std::string& text : options.fleets)
        found.push_back(fleet_option(text, options.machines.nodes));
    if (found.empty())
        found.push_back({options.machines.cluster(),
                         options.machines.gpus_or_node(),
                         options.price.value_or(MoneyRate{})});
    if (!options.tokens && (found.size() > 1 || options.budget || options.deadline))
        throw ModelError{"--tokens",
                         "missing, and money and time to train depend on it",
                         "give the tokens to train, e.g. 300e9"};
    return found;
}

std::optional<TrainingGoal> goal_of(const LayoutSearchOptions& options) {
    if (!options.tokens)
        return std::nullopt;
    TrainingGoal goal{*options.tokens, options.budget, std::nullopt};
    if (options.deadline)
        goal.deadline = Seconds{static_cast<double>(options.deadline->count()) / 1000};
    return goal;
}

LayoutQuestion question_of(const LayoutSearchOptions& options) {
    LayoutQuestion question;
    question.fleets = fleets_of(options);
    TrainingJob& job = question.job;
    job.model = options.network.transformer();
    job.sequence = job.model.sequence;
    const Gpu& gpu = question.fleets.front().cluster.gpu;
    question.stack = options.stack.settle_for_search(job, gpu, std::nullopt, &options.ranks);
    for (FleetOption& fleet : question.fleets) {
        TrainingJob on = job;
        const bool has_format = supports(fleet.cluster.gpu, job.precision);
        static_cast<void>(options.stack.settle_for_search(
            on,
            fleet.cluster.gpu,
            has_format ? job.precision : usual_precision(fleet.cluster.gpu),
            &options.ranks));
        fleet.attention = on.attention;
        fleet.fp8_scaling = on.fp8_scaling;
    }
    const auto most = std::ranges::max_element(question.fleets, {}, &FleetOption::gpus);
    question.space = options.ranks.open_layouts(job, most->gpus);
    if (!options.ranks.micro_batch)
        question.space.largest_micro_batch = options.max_micro_batch;
    if (!options.precisions.empty())
        question.space.precisions = precisions_of(options.precisions);
    options.stack.check_scaling(question.space.precisions);
    question.goal = goal_of(options);
    return question;
}

/// How sure the step of a layout of `question` is on that fleet.
StepError
error_of(const LayoutQuestion& question, const FleetOption& fleet, const RankedLayout& ranked) {
    TrainingJob job = question.job;
    job.layout = ranked.layout;
    return step_error_of(job, fleet.cluster, question.stack.profile, question.stack.why.empty());
}

/// "the first 3 are within the error of a comparison of two layouts (9 %); the last 2 fit with a
/// chance of less than 80 %". ranked: as LayoutSearch::best, not empty.
std::string ties_note(const LayoutQuestion& question, const std::vector<RankedLayout>& ranked) {
    const double slower = layout_quotient(question.job.model.experts.has_value()).high;
    const auto ties = std::ranges::count_if(ranked, [&](const RankedLayout& one) {
        return one.likely_fits == ranked.front().likely_fits &&
               one.step.count() <= slower * ranked.front().step.count();
    });
    const std::string which = ties == 1 ? "only the first is"
                              : std::cmp_equal(ties, ranked.size())
                                  ? fmt::format("all {} are", ties)
                                  : fmt::format("the first {} are", ties);
    std::string text = fmt::format(
        "{} within the error of a comparison of two layouts ({:.0f} %)", which, 100 * (slower - 1));
    const auto unlikely = std::ranges::count(ranked, false, &RankedLayout::likely_fits);
    if (unlikely > 0 && ranked.front().likely_fits)
        text +=
            fmt::format("; {} with a chance of less than {:.0f} %",
                        unlikely == 1 ? "the last fits" : fmt::format("the last {} fit", unlikely),
                        100 * likely_fit);
    return text;
}

/// The chance that a layout of `question` fits, of the memory that it leaves.
struct Spare {
    ByteVolume left;
    std::optional<double> chance; ///< absent: not known
};

Spare spare_of(const LayoutQuestion& question,
               const FleetOption& fleet,
               const RankedLayout& ranked) {
    const MemoryOverheads& overheads = question.stack.settings.overheads;
    const ByteVolume usable = usable_memory(fleet.cluster.gpu, overheads);
    TrainingJob job = question.job;
    job.layout = ranked.layout;
    job.precision = ranked.precision;
    return {usable - ranked.memory,
            fit_chance(ranked.memory, usable, memory_error(job, overheads))};
}

const std::vector<ReportColumn> spare_columns{{"headroom_b", "left", "B"},
                                              {"fit_chance", "fits", "fraction"}};

void add_spare(std::vector<Cell>& row, const Spare& spare) {
    row.emplace_back(spare.left.count());
    row.emplace_back(spare.chance.value_or(std::numeric_limits<double>::quiet_NaN()));
}

/// Warns of a layout that is shown first and may well not fit.
void warn_of_fit(const LayoutQuestion& question,
                 const FleetOption& fleet,
                 const RankedLayout& ranked,
                 std::vector<std::string>& warnings) {
    const Spare spare = spare_of(question, fleet, ranked);
    if (ranked.likely_fits || !spare.chance)
        return;
    warnings.push_back(fmt::format("the first layout of {} leaves {} and fits with a chance of "
                                   "{:.0f} % (`bursar model memory` says why); none tried fits "
                                   "with {:.0f} %",
                                   fleet.cluster.gpu.name,
                                   gigabytes(spare.left),
                                   100 * *spare.chance,
                                   100 * likely_fit));
}

bool offloads(const RankedLayout& ranked) {
    return ranked.layout.offload_layers > 0;
}

const ReportColumn offload_column{"offload_layers", "on host", ""};

ReportTable layout_table(const std::string& key,
                         const std::string& title,
                         const std::vector<RankedLayout>& layouts,
                         const LayoutQuestion& question) {
    const FleetOption& fleet = question.fleets.front();
    const std::optional<MoneyRate> price =
        fleet.price > MoneyRate{} ? std::optional{fleet.price} : std::nullopt;
    const auto tokens_per_step =
        static_cast<double>(question.space.global_batch * question.job.sequence);
    ReportTable table{key, title, layout_columns(), {}};
    table.columns.insert(table.columns.end(), spare_columns.begin(), spare_columns.end());
    table.columns.insert(table.columns.end(), range_columns().begin(), range_columns().end());
    table.columns.push_back({"tokens_per_s", "rate", "tokens/s"});
    if (price)
        table.columns.push_back({"tokens_per_usd", "per dollar", "tokens/USD"});
    const bool has_offload = std::ranges::any_of(layouts, offloads);
    if (has_offload)
        table.columns.push_back(offload_column);
    for (const RankedLayout& ranked : layouts) {
        std::vector<Cell> row = layout_cells(ranked);
        add_spare(row, spare_of(question, fleet, ranked));
        std::ranges::move(range_cells(error_of(question, fleet, ranked)), std::back_inserter(row));
        const double rate = tokens_per_step / ranked.step.count();
        row.emplace_back(rate);
        if (price) {
            const auto gpus = static_cast<double>(ranked.layout.gpus());
            row.emplace_back(rate * 3600 / (gpus * usd(*price)));
        }
        if (has_offload)
            row.emplace_back(ranked.layout.offload_layers);
        table.rows.push_back(std::move(row));
    }
    return table;
}

Facts best_section(const StepTime& step) {
    return {"best",
            "Step of the fastest layout",
            {{"compute_s",
              "compute",
              step.compute().count(),
              "s",
              "models/FORMULAS.md sections 4.1-4.5, 4.11"},
             {"communication_s",
              "communication",
              step.communication().count(),
              "s",
              "exposed (sections 4.6-4.10)"},
             {"bubble_s", "bubble", step.bubble.count(), "s", "section 4.9"},
             {"straggler_s", "stragglers", step.straggler.count(), "s", "section 4.11"},
             {"step_s", "step", step.total().count(), "s", "`bursar model step` has every term"}}};
}

ReportTable plan_table(const std::string& key,
                       const std::string& title,
                       const std::vector<FleetPlan>& plans,
                       const LayoutQuestion& question) {
    const TrainingGoal& goal = *question.goal;
    ReportTable table{key, title, {{"gpu", "GPU", ""}, {"gpus", "GPUs", ""}}, {}};
    table.columns.insert(table.columns.end(),
                         {{"duration_s", "time", "s"},
                          {"cost_usd", "cost", "USD"},
                          {"meets_goal", "meets goal", ""}});
    table.columns.insert(table.columns.end(), layout_columns().begin(), layout_columns().end());
    table.columns.insert(table.columns.end(), spare_columns.begin(), spare_columns.end());
    table.columns.insert(table.columns.end(), range_columns().begin(), range_columns().end());
    const bool has_offload = std::ranges::any_of(plans, offloads, &FleetPlan::layout);
    if (has_offload)
        table.columns.push_back(offload_column);
    for (const FleetPlan& plan : plans) {
        const FleetOption& option = question.fleets[plan.option];
        std::vector<Cell> row{option.cluster.gpu.name,
                              option.gpus,
                              plan.duration.count(),
                              plan.usd,
                              meets(plan, goal)};
        const std::vector<Cell> layout = layout_cells(plan.layout);
        row.insert(row.end(), layout.begin(), layout.end());
        add_spare(row, spare_of(question, option, plan.layout));
        std::ranges::move(range_cells(error_of(question, option, plan.layout)),
                          std::back_inserter(row));
        if (has_offload)
            row.emplace_back(plan.layout.layout.offload_layers);
        table.rows.push_back(std::move(row));
    }
    return table;
}

Facts uncertainty(const LayoutQuestion& question,
                  const FleetOption& fleet,
                  const RankedLayout& ranked) {
    Facts section{"uncertainty", "What holds in 80 % of cases", {}, false};
    add_range(section, "range", "of time and cost", error_of(question, fleet, ranked));
    return section;
}

/// Without tokens to train: the layouts of one fleet.
Document layouts_answer(const LayoutQuestion& question, std::size_t keep) {
    const TrainingJob& job = question.job;
    const FleetOption& fleet = question.fleets.front();
    const StackProfile& profile = question.stack.profile;
    const MemoryOverheads& overheads = question.stack.settings.overheads;
    const LayoutSearch found =
        fitting_layouts(job, fleet.cluster, profile, question.space, keep, overheads);
    TrainingJob best = job;
    best.layout = found.best.front().layout;
    best.precision = found.best.front().precision;
    Document answer;
    ReportTable fastest = layout_table(
        "best_layouts",
        "Fastest layouts (tp tensor, pp pipeline, vp chunks, cp context, ep expert, dp data)",
        found.best,
        question);
    fastest.note = ties_note(question, found.best);
    answer.blocks = {
        std::move(fastest),
        layout_table(
            "pareto", "Pareto front: no layout is both faster and smaller", found.pareto, question),
        search_section(found.evaluated, found.excluded_by_rule, found.excluded_by_memory),
        best_section(step_time(best, fleet.cluster, profile)),
        uncertainty(question, fleet, found.best.front())};
    answer.warnings = layout_warnings(best, fleet.cluster);
    if (const std::string copied = kv_head_copies(best); !copied.empty())
        answer.warnings.push_back(copied);
    warn_of_fit(question, fleet, found.best.front(), answer.warnings);
    return answer;
}

/// With tokens to train: the best plan of each fleet.
Document plans_answer(const LayoutQuestion& question) {
    const std::vector<FleetOption>& fleets = question.fleets;
    const TrainingGoal& goal = *question.goal;
    const FleetSearch found = search_fleets(question.job,
                                            fleets,
                                            question.stack.profile,
                                            question.space,
                                            goal,
                                            question.stack.settings.overheads);
    Document answer;
    answer.blocks = {
        plan_table("plans", "The best of each, goal met first", found.plans, question),
        plan_table("pareto",
                   "Pareto front: no plan is faster, cheaper and smaller",
                   found.pareto,
                   question),
        search_section(found.evaluated, found.excluded_by_rule, found.excluded_by_memory)};
    if (!found.plans.empty())
        answer.add(
            uncertainty(question, fleets[found.plans.front().option], found.plans.front().layout));
    for (const FleetPlan& plan : found.plans)
        warn_of_fit(question, fleets[plan.option], plan.layout, answer.warnings);
    if (found.plans.size() < fleets.size())
        answer.warnings.push_back(fmt::format("{} of {} fleets have no layout that fits",
                                              fleets.size() - found.plans.size(),
                                              fleets.size()));
    if (found.plans.empty() || !meets(found.plans.front(), goal))
        answer.warnings.emplace_back("no fleet meets the budget and the deadline");
    return answer;
}

/// The fastest layouts of one fleet, or the best plan of each fleet. Throws ModelError if nothing
/// fits, UnknownFact if a GPU lacks a fact.
Document layout_answer(const LayoutSearchOptions& given) {
    LayoutSearchOptions options = given;
    options.machines.nodes.operators = options.operators;
    const LayoutQuestion question = question_of(options);
    const ChosenStack& stack = question.stack;
    Document answer =
        question.goal ? plans_answer(question) : layouts_answer(question, options.keep);
    answer.command = "model layout";
    answer.sources = {
        "models/FORMULAS.md section 3.4: layouts pruned by memory, ranked by step time (section 4)",
        fmt::format(
            "stack {}{}", stack.profile.name, stack.why.empty() ? "" : " (" + stack.why + ")"),
        options.network.source()};
    if (!options.operators.empty())
        answer.sources.push_back(
            source_text(options.machines.nodes.operators_of(question.fleets.front().cluster.gpu),
                        options.operators));
    return answer;
}

} // namespace

void add_layout(Command model) {
    add_answer(model,
               "layout",
               "search parallelism, micro-batch, recompute and precision for GPUs or a budget",
               layout_search_options(),
               layout_answer);
}

}} // namespace bursar::tools
