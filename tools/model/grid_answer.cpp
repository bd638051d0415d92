#include "tools/model/grid_answer.hpp"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/training/grid/grid_gpu.hpp"
#include "models/training/memory/memory_fit.hpp"

#include "tools/model/held_out_error.hpp"
#include "tools/model/layout_tables.hpp"

namespace bursar { inline namespace tools {
namespace {

using Cells = std::vector<AnswerCell>;

/// Starting a GPU takes about a third of a second, in which a core works out so many points.
constexpr std::uint64_t points_of_a_start = 5'000'000;

unsigned cores() {
    return std::max(1U, std::thread::hardware_concurrency());
}

/// What is found of each model, whose runs are not to be compared with those of a smaller one, and
/// by whom.
struct Found {
    std::vector<GridSummary> of_models;
    std::string gpu; ///< its name; empty: the CPU
};

template <class Summarize>
std::vector<GridSummary>
of_models(const LayoutGrid& grid, const GridQuestion& question, const Summarize& summarize_one) {
    std::vector<GridSummary> found;
    for (std::size_t model = 0; model < grid.axes().jobs.size(); ++model)
        found.push_back(
            summarize_one(GridRequest{grid.points_of(model), question.metric, question.keep}));
    return found;
}

Found found_by_cpu(const LayoutGrid& grid, const GridQuestion& question) {
    return {of_models(grid,
                      question,
                      [&](const GridRequest& request) {
                          return summarize(grid.view(), request, cores());
                      }),
            {}};
}

Found found_by_gpu(const LayoutGrid& grid, const GridQuestion& question) {
    const GridGpu gpu{grid.arrays()};
    return {of_models(
                grid, question, [&](const GridRequest& request) { return gpu.summarize(request); }),
            gpu.name()};
}

Found summaries(const LayoutGrid& grid,
                const GridQuestion& question,
                std::vector<std::string>& warnings) {
    if (question.device == GridDevice::gpu) {
        if (const std::string why = GridGpu::why_none(); !why.empty())
            throw GpuError{fmt::format("--device cuda: {}", why)};
        return found_by_gpu(grid, question);
    }
    const bool pays = grid.size() >= points_of_a_start * cores() && GridGpu::why_none().empty();
    if (question.device == GridDevice::cpu || !pays)
        return found_by_cpu(grid, question);
    try {
        return found_by_gpu(grid, question);
    } catch (const GpuError& failed) {
        warnings.push_back(fmt::format("{}: the CPU worked the grid out", failed.what()));
        return found_by_cpu(grid, question);
    }
}

/// Why a model has no run, or nothing.
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

AnswerTable run_table(const LayoutGrid& grid,
                      const std::string& key,
                      const std::string& title,
                      const std::vector<GridPick>& picks) {
    AnswerTable table{key,
                      title,
                      {{"model", "model", ""},
                       {"gpu", "GPU", ""},
                       {"gpus", "GPUs", ""},
                       {"price", "price", "USD/gpu-h"},
                       {"global_batch", "sequences", ""},
                       {"duration_s", "time", "s"},
                       {"cost_usd", "cost", "USD"}},
                      {}};
    const std::vector<AnswerColumn>& layout = layout_columns();
    table.columns.insert(table.columns.end(), layout.begin(), layout.end());
    table.columns.push_back({"tokens_per_s", "rate", "tokens/s"});
    for (const GridPick& pick : picks) {
        const GridDigits at = grid.view().digits(pick.point);
        const GridBlock& block = grid.block(at);
        const GridMachine& machine = grid.machine(at);
        const TrainingJob job = grid.job(at);
        const GridValue& value = pick.value;
        Cells row{job.model.name,
                  machine.cluster.gpu.name,
                  block.gpus,
                  usd(grid.axes().offers[at.offer].price),
                  block.global_batch,
                  value.run.duration.count(),
                  value.run.usd};
        const Cells cells = layout_cells({job.layout, job.precision, value.step, value.memory});
        row.insert(row.end(), cells.begin(), cells.end());
        row.emplace_back(static_cast<double>(block.global_batch * job.sequence) /
                         value.step.count());
        const AnswerValue error = held_out_error(machine.profile, job.model);
        if (table.rows.empty())
            table.columns.push_back({error.key, error.label, error.unit, true});
        row.push_back(error.value);
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// How far to trust each model's best run, under the model's name.
AnswerSection errors_of(const LayoutGrid& grid, const std::vector<GridSummary>& found) {
    AnswerSection section{"uncertainty", "How far to trust this", {}};
    for (const GridSummary& summary : found) {
        if (summary.best.empty())
            continue;
        const GridDigits at = grid.view().digits(summary.best.front().point);
        const Transformer& model = grid.axes().jobs[grid.block(at).model].model;
        AnswerValue error = held_out_error(grid.machine(at).profile, model);
        error.key = model.name;
        error.label = fmt::format("{} +-", model.name);
        section.values.push_back(std::move(error));
    }
    return section;
}

std::vector<std::string> stacks_of(const LayoutGrid& grid) {
    std::vector<std::string> lines;
    for (const GridMachine& machine : grid.axes().machines) {
        std::string line = fmt::format("stack {}", machine.profile.name);
        if (std::ranges::find(lines, line) == lines.end())
            lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace

Answer grid_answer(const GridQuestion& question) {
    const LayoutGrid grid{question.axes};
    Answer answer;
    answer.warnings = question.warnings;
    const Found by = summaries(grid, question, answer.warnings);
    const std::vector<GridSummary>& found = by.of_models;
    std::int64_t fitting = 0;
    std::int64_t too_large = 0;
    std::string why;
    for (std::size_t model = 0; model < found.size(); ++model) {
        fitting += static_cast<std::int64_t>(found[model].fitting);
        too_large += static_cast<std::int64_t>(found[model].too_large);
        why = nothing_fits(grid.axes().jobs[model].model, found[model]);
        if (!why.empty())
            answer.warnings.push_back(why);
    }
    if (fitting == 0)
        throw ModelError{"grid", why, "more GPUs, GPUs with more memory, or other batches"};
    answer.command = "model grid";
    answer.tables_first = true;
    const std::string first =
        question.metric == GridMetric::time ? "Fastest runs" : "Cheapest runs";
    const std::string of_each = found.size() > 1 ? " of each model" : "";
    answer.tables = {
        run_table(grid, "best_runs", first + of_each, together(found, &GridSummary::best)),
        run_table(grid,
                  "pareto",
                  "None" + of_each + " is both faster and cheaper",
                  together(found, &GridSummary::front))};
    answer.sections = {search_section(fitting, grid.excluded_by_rule(), too_large),
                       errors_of(grid, found)};
    answer.sources = {
        "models/FORMULAS.md section 3.4: layouts pruned by memory, timed by section 4"};
    if (!by.gpu.empty())
        answer.sources.push_back(fmt::format("points worked out by {}", by.gpu));
    for (const std::string& stack : stacks_of(grid))
        answer.sources.push_back(stack);
    answer.sources.insert(answer.sources.end(), question.sources.begin(), question.sources.end());
    return answer;
}

}} // namespace bursar::tools
