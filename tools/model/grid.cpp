#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/training/grid/grid_gpu.hpp"
#include "models/training/grid/grid_summary.hpp"
#include "models/training/grid/layout_grid.hpp"
#include "models/training/memory/memory_fit.hpp"

#include "reports/document/document.hpp"

#include "tools/model/job_options.hpp"
#include "tools/model/job_parts.hpp"
#include "tools/model/subcommand.hpp"

namespace bursar { inline namespace tools {
namespace {

/// The device that evaluates a grid.
enum class GridDevice : std::uint8_t {
    either, ///< a GPU if there is one and the grid is large enough, else the CPU
    cpu,
    gpu,
};

struct GridOptions {
    std::vector<std::string> models;
    std::string architectures; ///< empty: built in
    std::optional<std::int64_t> sequence;
    std::vector<std::string> offers;
    std::vector<std::string> gpus;
    NodeOptions nodes;
    std::vector<std::string> batches;
    StackOptions stack;
    std::vector<std::string> precisions;
    std::int64_t max_micro_batch{16};
    std::optional<double> tokens; ///< required
    GridMetric metric{GridMetric::cost};
    GridDevice device{GridDevice::either};
    std::size_t keep{10};
};

/// What the options ask for: the grid, and what is said of its networks and GPUs.
struct GridQuestion {
    GridAxes axes;
    std::vector<std::string> warnings; ///< about values that were left out
    std::vector<std::string> sources;  ///< of the networks
};

constexpr std::int64_t max_grid_count = 1'000'000;
constexpr std::array<std::string_view, 2> metric_names{"time", "cost"};
constexpr std::array<std::string_view, 3> device_names{"auto", "cpu", "cuda"};

OptionTable<GridOptions> grid_options() {
    using T = GridOptions;
    return option_table<T>(
               {{{"--models",
                  &T::models,
                  TextListRule{"NAME,...", [] { return builtin_architectures().names(); }}},
                 "networks of `bursar catalog models`"},
                {{"--architectures", &T::architectures, file_name()},
                 "network catalogue in place of the built-in one"},
                {{"--sequence,--seq", &T::sequence, whole_in(up_to(100'000'000))},
                 "tokens per sample (default: each model's)"},
                {{"--offer", &T::offers, word("GPU@RATE")},
                 "GPUs at a price; may be repeated, with another price too: "
                 "\"H100@2.10 USD/gpu-h\""},
                {{"--gpus", &T::gpus, TextListRule{"N,..."}}, "numbers of GPUs"},
                {&T::nodes, node_options()},
                {{"--global-batches", &T::batches, TextListRule{"N,..."}},
                 "sequences per step (default: the number of GPUs)"},
                {&T::stack, stack_options()},
                {{"--precisions", &T::precisions, precision_list()},
                 "number formats tried (default: --precision)"},
                {{"--largest-micro-batch", &T::max_micro_batch, whole_in(up_to(max_grid_count))},
                 "largest micro-batch tried; powers of two"},
                {{"--tokens", &T::tokens, real_in(any_size, "N")}, "tokens that a run trains on"},
                {{"--by", &T::metric, choice(metric_names)}, "what runs are ranked by"},
                {{"--device", &T::device, choice(device_names)},
                 "where the grid is evaluated; auto takes a GPU, if there is one, from millions "
                 "of points on"},
                {{"--keep", &T::keep, whole_in(up_to(100'000))}, "runs shown of each model"}})
        .required("--models")
        .required("--offer")
        .required("--gpus")
        .required("--tokens");
}

std::vector<std::int64_t> counts_of(const std::vector<std::string>& texts, const char* option) {
    std::vector<std::int64_t> counts;
    for (const std::string& text : texts) {
        std::int64_t count = 0;
        const char* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, count);
        if (read.ec != std::errc{} || read.ptr != end || count < 1 || count > max_grid_count)
            throw ModelError{option,
                             fmt::format("\"{}\" is not a count", text),
                             fmt::format("give whole numbers from 1 to {}", max_grid_count)};
        if (std::ranges::find(counts, count) != counts.end())
            throw ModelError{option, fmt::format("{} is given twice", count), "give each once"};
        counts.push_back(count);
    }
    return counts;
}

void add_networks(const GridOptions& options, GridQuestion& question) {
    const Architectures known = architectures_of(options.architectures);
    for (const std::string& name : options.models) {
        const Architecture& network = network_named(known, name, "--models");
        if (!std::holds_alternative<Transformer>(network))
            throw ModelError{"--models",
                             fmt::format("{} is not a transformer", name),
                             "`bursar model step` takes any network"};
        TrainingJob job;
        job.model = std::get<Transformer>(network);
        const auto is_named = [&](const TrainingJob& other) {
            return other.model.name == job.model.name;
        };
        if (std::ranges::any_of(question.axes.jobs, is_named))
            throw ModelError{
                "--models", fmt::format("{} is given twice", job.model.name), "give each once"};
        job.sequence = options.sequence.value_or(job.model.sequence);
        job.compilation = options.stack.launches();
        question.axes.jobs.push_back(std::move(job));
        const ArchitectureOrigin& origin = known.origin(network);
        std::string source = fmt::format("{} ({})", origin.source, origin.date);
        if (std::ranges::find(question.sources, source) == question.sources.end())
            question.sources.push_back(std::move(source));
    }
}

/// The machines of one GPU: one for each of its formats. Sets the sharding of the jobs, which is
/// the same with every GPU, and warns.
std::vector<GridMachine>
machines_of(const GridOptions& options, const Cluster& cluster, GridQuestion& question) {
    std::vector<Precision> precisions = precisions_of(options.precisions);
    if (precisions.empty())
        precisions = {options.stack.precision.value_or(usual_precision(cluster.gpu))};
    options.stack.check_scaling(precisions);
    std::vector<GridMachine> machines;
    for (const Precision precision : precisions) {
        if (!supports(cluster.gpu, precision)) {
            question.warnings.push_back(
                fmt::format("{} has no {}: left out", cluster.gpu.name, name(precision)));
            continue;
        }
        TrainingJob job;
        GridMachine machine{cluster, precision, {}, {}};
        ChosenStack chosen = options.stack.settle_for_search(job, cluster.gpu, precision);
        for (TrainingJob& network : question.axes.jobs)
            network.layout.sharding = chosen.settings.sharding;
        machine.is_stack_known = chosen.why.empty();
        machine.profile = std::move(chosen.profile);
        machine.overheads = std::move(chosen.settings.overheads);
        machine.attention = job.attention;
        machine.fp8_scaling = job.fp8_scaling;
        machine.recipe = job.recipe;
        machines.push_back(std::move(machine));
    }
    return machines;
}

/// The largest number that divides all of them.
std::int64_t divisor_of(const std::vector<std::int64_t>& counts) {
    std::int64_t divisor = 0;
    for (const std::int64_t count : counts)
        divisor = std::gcd(divisor, count);
    return divisor;
}

void add_offers(const GridOptions& options, GridQuestion& question) {
    GridAxes& axes = question.axes;
    struct OfferedGpu {
        std::string name;
        std::size_t first; ///< of axes.machines
        std::size_t count; ///< one machine for each of its formats
    };
    std::vector<OfferedGpu> seen;
    for (const std::string& text : options.offers) {
        const std::size_t at = text.find('@');
        if (at == std::string::npos || at == 0 || at + 1 == text.size())
            throw ModelError{"--offer",
                             fmt::format("\"{}\" is not an offer", text),
                             "write GPU@PRICE, e.g. H100@2.10 USD/gpu-h"};
        const std::string gpu = text.substr(0, at);
        const MoneyRate price = gpu_hour_price(text.substr(at + 1), "--offer");
        auto found = std::ranges::find(seen, gpu, &OfferedGpu::name);
        if (found == seen.end()) {
            const Cluster cluster = options.nodes.cluster_of(gpu, "--offer", divisor_of(axes.gpus));
            std::vector<GridMachine> added = machines_of(options, cluster, question);
            found = seen.insert(seen.end(), {gpu, axes.machines.size(), added.size()});
            std::ranges::move(added, std::back_inserter(axes.machines));
        }
        for (std::size_t i = 0; i < found->count; ++i)
            axes.offers.push_back({static_cast<std::uint32_t>(found->first + i), price});
    }
    if (axes.offers.empty())
        throw ModelError{
            "--precisions", "no GPU of an --offer has any of them", "choose one that it has"};
}

GridQuestion question_of(const GridOptions& options) {
    GridQuestion question;
    add_networks(options, question);
    question.axes.gpus = counts_of(options.gpus, "--gpus");
    add_offers(options, question);
    question.axes.batches = counts_of(options.batches, "--global-batches");
    question.axes.max_micro_batch = options.max_micro_batch;
    question.axes.tokens = *options.tokens;
    return question;
}

/// Points that a core evaluates while a GPU starts, about a third of a second.
constexpr std::uint64_t points_per_gpu_start = 5'000'000;

unsigned cores() {
    return std::max(1U, std::thread::hardware_concurrency());
}

/// The summary of each model, and the GPU that computed it.
struct Found {
    std::vector<GridSummary> of_models;
    std::string gpu; ///< its name; empty: computed on the CPU
};

template <class Summarize>
std::vector<GridSummary>
of_models(const LayoutGrid& grid, const GridOptions& options, const Summarize& summarize_one) {
    std::vector<GridSummary> found;
    for (std::size_t model = 0; model < grid.axes().jobs.size(); ++model)
        found.push_back(
            summarize_one(GridRequest{grid.points_of(model), options.metric, options.keep}));
    return found;
}

Found found_by_cpu(const LayoutGrid& grid, const GridOptions& options) {
    return {of_models(grid,
                      options,
                      [&](const GridRequest& request) {
                          return summarize(grid.view(), request, cores());
                      }),
            {}};
}

Found found_by_gpu(const LayoutGrid& grid, const GridOptions& options) {
    const GridGpu gpu{grid.arrays()};
    return {of_models(
                grid, options, [&](const GridRequest& request) { return gpu.summarize(request); }),
            gpu.name()};
}

Found summaries(const LayoutGrid& grid,
                const GridOptions& options,
                std::vector<std::string>& warnings) {
    if (options.device == GridDevice::gpu) {
        if (const std::string why = GridGpu::why_none(); !why.empty())
            throw GpuError{fmt::format("--device cuda: {}", why)};
        return found_by_gpu(grid, options);
    }
    const bool pays = grid.size() >= points_per_gpu_start * cores() && GridGpu::why_none().empty();
    if (options.device == GridDevice::cpu || !pays)
        return found_by_cpu(grid, options);
    try {
        return found_by_gpu(grid, options);
    } catch (const GpuError& failed) {
        warnings.push_back(fmt::format("{}: the grid was evaluated on the CPU", failed.what()));
        return found_by_cpu(grid, options);
    }
}

/// Why a model has no run; empty: it has.
std::string nothing_fits(const Transformer& model, const GridSummary& found) {
    if (found.fitting > 0)
        return {};
    if (!found.min_memory)
        return fmt::format("no layout divides any of the batches of {} over any of the numbers of "
                           "GPUs",
                           model.name);
    return fmt::format("none of {} points of {} fits: the smallest needs {} of a GPU",
                       found.too_large,
                       model.name,
                       gigabytes(*found.min_memory));
}

std::vector<GridPick> together(const std::vector<GridSummary>& found,
                               std::vector<GridPick> GridSummary::*picks) {
    std::vector<GridPick> all;
    for (const GridSummary& summary : found)
        all.insert(all.end(), (summary.*picks).begin(), (summary.*picks).end());
    return all;
}

/// How sure the step time of a point is.
StepError error_at(const LayoutGrid& grid, const GridDigits& at) {
    const GridMachine& machine = grid.machine(at);
    return step_error_of(grid.job(at), machine.cluster, machine.profile, machine.is_stack_known);
}

/// The chance that a point of this memory fits. Absent: not known.
std::optional<double> chance_at(const LayoutGrid& grid, const GridDigits& at, ByteVolume memory) {
    const GridMachine& machine = grid.machine(at);
    return fit_chance(memory,
                      usable_memory(machine.cluster.gpu, machine.overheads),
                      memory_error(grid.job(at), machine.overheads));
}

/// Says which best run of `found` may well not fit.
std::string unlikely_fit(const LayoutGrid& grid, const GridSummary& found) {
    if (found.best.empty() || found.best.front().value.likely_fits)
        return {};
    const GridPick& first = found.best.front();
    const GridDigits at = grid.view().digits(first.point);
    return fmt::format("the first run of {} fits with a chance of {:.0f} %, and no other with "
                       "{:.0f} % (`bursar model memory` says why)",
                       grid.job(at).model.name,
                       100 * chance_at(grid, at, first.value.memory).value_or(1),
                       100 * likely_fit);
}

ReportTable run_table(const LayoutGrid& grid,
                      const std::string& key,
                      const std::string& title,
                      const std::vector<GridPick>& picks) {
    ReportTable table{key,
                      title,
                      {{"model", "model", ""},
                       {"gpu", "GPU", ""},
                       {"gpus", "GPUs", ""},
                       {"price", "price", "USD/gpu-h"},
                       {"global_batch", "sequences", ""},
                       {"duration_s", "time", "s"},
                       {"cost_usd", "cost", "USD"}},
                      {}};
    const std::vector<ReportColumn>& layout = layout_columns();
    table.columns.insert(table.columns.end(), layout.begin(), layout.end());
    table.columns.push_back({"fit_chance", "fits", "fraction"});
    table.columns.push_back({"tokens_per_s", "rate", "tokens/s"});
    table.columns.insert(table.columns.end(), range_columns().begin(), range_columns().end());
    for (const GridPick& pick : picks) {
        const GridDigits at = grid.view().digits(pick.point);
        const GridBlock& block = grid.block(at);
        const GridMachine& machine = grid.machine(at);
        const TrainingJob job = grid.job(at);
        const GridValue& value = pick.value;
        std::vector<Cell> row{job.model.name,
                              machine.cluster.gpu.name,
                              block.gpus,
                              usd(grid.axes().offers[at.offer].price),
                              block.global_batch,
                              value.run.duration.count(),
                              value.run.usd};
        const std::vector<Cell> cells =
            layout_cells({job.layout, job.precision, value.step, value.memory});
        row.insert(row.end(), cells.begin(), cells.end());
        row.emplace_back(
            chance_at(grid, at, value.memory).value_or(std::numeric_limits<double>::quiet_NaN()));
        row.emplace_back(static_cast<double>(block.global_batch * job.sequence) /
                         value.step.count());
        std::ranges::move(range_cells(error_at(grid, at)), std::back_inserter(row));
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// The 80 % range of each model's best run, under the model's name.
Facts errors_of(const LayoutGrid& grid, const std::vector<GridSummary>& found) {
    Facts section{"uncertainty", "What holds of time and cost in 80 % of cases", {}, false};
    for (const GridSummary& summary : found) {
        if (summary.best.empty())
            continue;
        const GridDigits at = grid.view().digits(summary.best.front().point);
        const Transformer& model = grid.axes().jobs[grid.block(at).model].model;
        add_range(section, model.name, model.name, error_at(grid, at));
    }
    return section;
}

std::vector<std::string> stack_lines(const LayoutGrid& grid) {
    std::vector<std::string> lines;
    for (const GridMachine& machine : grid.axes().machines) {
        std::string line = fmt::format("stack {}", machine.profile.name);
        if (std::ranges::find(lines, line) == lines.end())
            lines.push_back(std::move(line));
    }
    return lines;
}

/// The best runs of each model, and its Pareto front of time and cost. Throws ModelError if nothing
/// fits, UnknownFact if a GPU lacks a fact, GpuError if the requested device is missing or fails.
Document grid_answer(const GridOptions& options) {
    const GridQuestion question = question_of(options);
    const LayoutGrid grid{question.axes};
    Document answer;
    answer.warnings = question.warnings;
    const Found by = summaries(grid, options, answer.warnings);
    const std::vector<GridSummary>& found = by.of_models;
    std::int64_t fitting = 0;
    std::int64_t too_large = 0;
    std::string why;
    for (std::size_t model = 0; model < found.size(); ++model) {
        fitting += static_cast<std::int64_t>(found[model].fitting);
        too_large += static_cast<std::int64_t>(found[model].too_large);
        why = nothing_fits(grid.axes().jobs[model].model, found[model]);
        for (const std::string& warning : {why, unlikely_fit(grid, found[model])})
            if (!warning.empty())
                answer.warnings.push_back(warning);
    }
    if (fitting == 0)
        throw ModelError{"grid", why, "more GPUs, GPUs with more memory, or other batches"};
    answer.command = "model grid";
    const std::string first = options.metric == GridMetric::time ? "Fastest runs" : "Cheapest runs";
    const std::string of_each = found.size() > 1 ? " of each model" : "";
    answer.blocks = {
        run_table(grid, "best_runs", first + of_each, together(found, &GridSummary::best)),
        run_table(grid,
                  "pareto",
                  "Pareto front: no run" + of_each + " is both faster and cheaper",
                  together(found, &GridSummary::front)),
        search_section(fitting, grid.excluded_by_rule(), too_large),
        errors_of(grid, found)};
    answer.sources = {
        "models/FORMULAS.md section 3.4: layouts pruned by memory, timed by section 4"};
    if (!by.gpu.empty())
        answer.sources.push_back(fmt::format("points worked out by {}", by.gpu));
    for (const std::string& stack : stack_lines(grid))
        answer.sources.push_back(stack);
    answer.sources.insert(answer.sources.end(), question.sources.begin(), question.sources.end());
    return answer;
}

} // namespace

void add_grid(Command model) {
    add_answer(
        model,
        "grid",
        "the best runs over GPUs, prices, batches and every layout, for each of several models",
        grid_options(),
        grid_answer);
}

}} // namespace bursar::tools
