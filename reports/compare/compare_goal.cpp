#include "reports/compare/compare_goal.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "reports/goal/goal_section.hpp"

namespace bursar { inline namespace reports {
namespace {

std::optional<double> mean_of(const ComparedVariant& variant, std::string_view name) {
    const auto found = std::ranges::find(variant.values.scalars, name, &RepeatedScalar::name);
    if (found == variant.values.scalars.end() || found->n == 0)
        return std::nullopt;
    return found->mean;
}

} // namespace

std::optional<AnswerSection> compare_goal(const Comparison& comparison,
                                          const CompareQuestion& question) {
    if (!question.goal)
        return std::nullopt;
    const ScalarRow& cost = *find_scalar("cost.total");
    std::vector<GoalCandidate> ranked;
    for (const ComparedVariant& variant : comparison.variants)
        if (const auto usd = mean_of(variant, cost.name))
            ranked.push_back({variant.label,
                              mean_of(variant, question.goal->metric->name),
                              usd,
                              !all_jobs_finished(variant.values)});
    std::ranges::stable_sort(ranked, {}, &GoalCandidate::rank);
    return goal_section(*question.goal, cost, ranked);
}

}} // namespace bursar::reports
