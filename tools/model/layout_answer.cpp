#include "tools/model/layout_answer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "models/training/job/check_layout.hpp"

#include "tools/model/held_out_error.hpp"
#include "tools/model/layout_tables.hpp"

namespace bursar { inline namespace tools {
namespace {

LayoutSpace space_of(const LayoutQuestion& question) {
    const auto most = std::ranges::max_element(question.fleets, {}, &FleetOption::gpus);
    LayoutSpace space = usual_layout_space(question.job, most->gpus, question.global_batch);
    space.largest_micro_batch = question.max_micro_batch;
    if (!question.precisions.empty())
        space.precisions = question.precisions;
    return space;
}

/// Without tokens to train: the layouts of one set of GPUs.
Answer layouts_answer(const LayoutQuestion& question) {
    const TrainingJob& job = question.job;
    const FleetOption& fleet = question.fleets.front();
    const LayoutSpace space = space_of(question);
    const StackProfile& profile = question.profile;
    const MemoryOverheads overheads = memory_overheads_of(profile, job.compilation);
    const LayoutSearch found =
        fitting_layouts(job, fleet.cluster, profile, space, question.keep, overheads);
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
Answer plans_answer(const LayoutQuestion& question) {
    const std::vector<FleetOption>& fleets = question.fleets;
    const TrainingGoal& goal = *question.goal;
    const FleetSearch found =
        search_fleets(question.job,
                      fleets,
                      question.profile,
                      space_of(question),
                      goal,
                      memory_overheads_of(question.profile, question.job.compilation));
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

} // namespace

Answer layout_answer(const LayoutQuestion& question) {
    Answer answer = question.goal ? plans_answer(question) : layouts_answer(question);
    const AnswerValue error = held_out_error(question.profile, question.job.model);
    answer.sections.push_back({"uncertainty", "How far to trust this", {error}});
    for (AnswerTable& table : answer.tables) {
        table.columns.push_back({error.key, error.label, error.unit, true});
        for (std::vector<AnswerCell>& row : table.rows)
            row.push_back(error.value);
    }
    answer.command = "model layout";
    answer.tables_first = true;
    answer.sources = {
        "models/FORMULAS.md section 3.4: layouts pruned by memory, ranked by step time (section 4)",
        fmt::format("stack {}{}",
                    question.profile.name,
                    question.why_stack.empty() ? "" : " (" + question.why_stack + ")"),
        question.network_source};
    return answer;
}

}} // namespace bursar::tools
