#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/training/check_layout.hpp"
#include "models/training/search/layout_budget.hpp"

#include "scenarios/reader/quantity_rule.hpp"

#include "tools/bursar/model/layout_answer.hpp"
#include "tools/bursar/model/model_command.hpp"
#include "tools/bursar/model/model_options.hpp"

namespace bursar {
namespace {

constexpr std::int64_t most_count = 1'000'000;

struct LayoutCommand {
    ShapeOptions shape;
    ClusterOptions machines;
    StackOptions stack;
    AnswerOptions answer;
    std::optional<std::int64_t> global_batch;
    std::int64_t largest_micro_batch{16};
    std::vector<std::string> precisions;
    std::size_t keep{10};
    std::string price;
    std::vector<std::string> fleets;
    std::optional<double> tokens;
    std::optional<double> budget;
    std::string deadline;
};

MoneyRate price_of(const std::string& text, const std::string& option) {
    return MoneyRate{quantity_of(text, gpu_hour_prices, option, Zero::allowed)};
}

/// "A100-80GB:256@1.29 USD/gpu-h"
FleetOption fleet_option(const std::string& text, const ClusterOptions& machines) {
    const std::size_t colon = text.find(':');
    const std::size_t at = text.find('@');
    std::int64_t gpus = 0;
    const bool parts = colon != std::string::npos && at != std::string::npos && colon < at;
    if (parts) {
        const char* end = text.data() + at;
        const auto read = std::from_chars(text.data() + colon + 1, end, gpus);
        if (read.ec != std::errc{} || read.ptr != end)
            gpus = 0;
    }
    if (gpus < 1 || gpus > most_count)
        throw ModelError{"--fleet",
                         fmt::format("\"{}\" is no fleet", text),
                         "write GPU:COUNT@PRICE, e.g. "
                         "H100:1024@2.10 USD/gpu-h"};
    return {machines.cluster_of(text.substr(0, colon), "--fleet"),
            gpus,
            price_of(text.substr(at + 1), "--fleet")};
}

std::vector<FleetOption> fleet_options(const LayoutCommand& options) {
    std::vector<FleetOption> fleets;
    for (const std::string& text : options.fleets)
        fleets.push_back(fleet_option(text, options.machines));
    if (fleets.empty())
        fleets.push_back(
            {options.machines.cluster(),
             options.machines.gpus().value_or(options.machines.gpus_per_node()),
             options.price.empty() ? MoneyRate{} : price_of(options.price, "--price")});
    return fleets;
}

std::vector<Precision> precisions_of(const LayoutCommand& options, Precision usual) {
    std::vector<Precision> found;
    for (const std::string& text : options.precisions) {
        const auto precision = find_precision(text);
        if (!precision)
            throw ModelError{"--precisions",
                             fmt::format("unknown format \"{}\"", text),
                             fmt::format("choose of {}", fmt::join(precision_names, ", "))};
        found.push_back(*precision);
    }
    if (found.empty())
        found.push_back(usual);
    return found;
}

TrainingJob job_of(const LayoutCommand& options, const Gpu& gpu) {
    TrainingJob job;
    job.model = options.shape.transformer();
    job.sequence = job.model.sequence;
    options.stack.apply_to(job, gpu);
    return job;
}

LayoutSpace space_of(const LayoutCommand& options,
                     const TrainingJob& job,
                     const std::vector<FleetOption>& fleets) {
    LayoutSpace space;
    for (const FleetOption& fleet : fleets)
        space.gpus = std::max(space.gpus, fleet.gpus);
    space.global_batch = options.global_batch.value_or(space.gpus);
    space.largest_micro_batch = options.largest_micro_batch;
    space.largest_context = usual_largest_context(job.sequence);
    space.precisions = precisions_of(options, job.precision);
    return space;
}

[[noreturn]] void fail_nothing_fits(const FleetOption& fleet,
                                    const TrainingJob& job,
                                    const LayoutSearch& search,
                                    const MemoryOverheads& overheads) {
    const double usable = usable_memory(fleet.cluster.gpu, overheads).count() / bytes_per_gb;
    if (!search.least_memory)
        throw ModelError{
            "gpus",
            fmt::format("no layout of {} uses all {} GPUs", job.model.name, fleet.gpus),
            "choose a count with more divisors, or another --global-batch"};
    throw ModelError{"gpus",
                     fmt::format("no layout of {} fits into {} x {}: the smallest needs {:.1f} GB "
                                 "of the {:.1f} usable",
                                 job.model.name,
                                 fleet.gpus,
                                 fleet.cluster.gpu.name,
                                 search.least_memory->count() / bytes_per_gb,
                                 usable),
                     "give more GPUs, or GPUs of more memory"};
}

/// Without tokens to train: the layouts of one set of GPUs.
Answer layouts_answer(const LayoutCommand& options, const FleetOption& fleet) {
    const TrainingJob job = job_of(options, fleet.cluster.gpu);
    const LayoutSpace space = space_of(options, job, {fleet});
    const StackProfile profile = options.stack.profile();
    const MemoryOverheads overheads = memory_overheads_of(profile);
    const LayoutSearch found =
        search_layouts(job, fleet.cluster, profile, space, options.keep, overheads);
    if (found.best.empty())
        fail_nothing_fits(fleet, job, found, overheads);
    TrainingJob best = job;
    best.layout = found.best.front().layout;
    best.precision = found.best.front().precision;
    const double tokens = static_cast<double>(space.global_batch * job.sequence);
    const std::optional<MoneyRate> price =
        fleet.price > MoneyRate{} ? std::optional{fleet.price} : std::nullopt;
    Answer answer;
    answer.sections = {
        search_section(found.evaluated, found.excluded_by_rule, found.excluded_by_memory),
        best_section(step_time(best, fleet.cluster, profile))};
    answer.tables = {
        layout_table(
            "best_layouts",
            "Fastest layouts (tp tensor, pp pipeline, vp chunks, cp context, ep expert, dp data)",
            found.best,
            tokens,
            price),
        layout_table("pareto", "None is both faster and smaller", found.pareto, tokens, price)};
    answer.warnings = layout_warnings(best, fleet.cluster);
    return answer;
}

/// With tokens to train: which GPUs, and how.
Answer plans_answer(const LayoutCommand& options, const std::vector<FleetOption>& fleets) {
    const TrainingJob job = job_of(options, fleets.front().cluster.gpu);
    const StackProfile profile = options.stack.profile();
    TrainingGoal goal{*options.tokens, options.budget, std::nullopt};
    if (!options.deadline.empty())
        goal.deadline = Seconds{
            static_cast<double>(quantity_of(options.deadline, durations, "--deadline")) / 1000};
    const FleetSearch found = search_fleets(
        job, fleets, profile, space_of(options, job, fleets), goal, memory_overheads_of(profile));
    Answer answer;
    answer.sections = {
        search_section(found.evaluated, found.excluded_by_rule, found.excluded_by_memory)};
    answer.tables = {
        plan_table("plans", "The best of each, goal met first", found.plans, fleets, goal),
        plan_table(
            "pareto", "None is faster, cheaper and smaller at once", found.pareto, fleets, goal)};
    if (found.plans.size() < fleets.size())
        answer.warnings.push_back(fmt::format("{} of {} fleets have no layout that fits",
                                              fleets.size() - found.plans.size(),
                                              fleets.size()));
    if (found.plans.empty() || !meets(found.plans.front(), goal))
        answer.warnings.emplace_back("no fleet meets the budget and the deadline");
    return answer;
}

Answer answer_of(const LayoutCommand& options) {
    const std::vector<FleetOption> fleets = fleet_options(options);
    if (!options.tokens && (fleets.size() > 1 || options.budget || !options.deadline.empty()))
        throw ModelError{"--tokens",
                         "missing, and money and time to train depend on it",
                         "give the tokens to train, e.g. 300e9"};
    Answer answer =
        options.tokens ? plans_answer(options, fleets) : layouts_answer(options, fleets.front());
    answer.command = "model layout";
    answer.tables_first = true;
    answer.sources = {
        "models/FORMULAS.md section 3.4: layouts pruned by memory, ranked by step time (section 4)",
        fmt::format("stack {}", options.stack.profile().name),
        options.shape.source()};
    return answer;
}

void add_goal(Command command, LayoutCommand& options) {
    command.add_option("--price", options.price, "of a GPU, e.g. \"2.10 USD/gpu-h\"")
        .type_name("RATE");
    command
        .add_option("--fleet",
                    options.fleets,
                    "GPUs to choose from in place of --gpu, --gpus and --price; may be repeated: "
                    "\"H100:1024@2.10 USD/gpu-h\"")
        .type_name("GPU:N@RATE");
    command.add_option("--tokens", options.tokens, "tokens to train: asks for time and money")
        .check(above_zero())
        .type_name("N");
    command.add_option("--budget", options.budget, "most that the run may cost")
        .check(above_zero())
        .type_name("USD");
    command.add_option("--deadline", options.deadline, "longest that it may take, e.g. 30 d")
        .type_name("TIME");
}

} // namespace

void add_model_layout(Command model) {
    Command command = model.add_subcommand(
        "layout",
        "searches parallelism, micro-batch, recompute and precision for GPUs or a budget");
    const auto options = std::make_shared<LayoutCommand>();
    options->shape.add_to(command);
    options->machines.add_to(command);
    options->stack.add_to(command);
    command.add_option("--global-batch", options->global_batch, "sequences per step (the GPUs)")
        .check(within(std::int64_t{1}, most_count))
        .type_name("N");
    command
        .add_option("--largest-micro-batch", options->largest_micro_batch, "tried, powers of two")
        .check(within(std::int64_t{1}, most_count))
        .type_name("N")
        .show_default();
    command.add_option("--precisions", options->precisions, "number formats tried (--precision)")
        .delimiter(',')
        .type_name("NAME,...");
    command.add_option("--keep", options->keep, "layouts shown")
        .check(within(std::int64_t{1}, std::int64_t{100'000}))
        .type_name("N")
        .show_default();
    add_goal(command, *options);
    options->answer.add_to(command);
    command.callback([options] { options->answer.show(answer_of(*options)); });
}

} // namespace bursar
