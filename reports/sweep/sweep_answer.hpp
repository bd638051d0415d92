#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/goal/goal.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_table.hpp"

namespace bursar { inline namespace reports {

/// What a sweep answers.
struct SweepQuestion {
    /// Scalars, or common_end_cost(): the best are by the first, the front is of the first two; at
    /// least one.
    std::vector<const ScalarRow*> metrics;
    std::size_t best{5}; ///< how many of the best are shown
    std::optional<Goal> goal{};
};

/// By cost.total, and the 90th percentile of waiting.
[[nodiscard]] SweepQuestion usual_question();

/// Ranks by the cost to the common end instead of `cost.total`. False: by neither.
bool rank_common_end(SweepQuestion& question);
/// Undoes rank_common_end().
void rank_own_end(SweepQuestion& question);

/// What a planner reads of a sweep first: the best scenarios, those that no other beats in both of
/// two metrics, which axis moves which metric how much, which scenario meets the goal for the
/// least, and how far seeds scatter. Means are over seeds. Where fixed capacity is compared and
/// runs of one seed end at different times, the cost to the common end stands beside `cost.total`.
[[nodiscard]] Document sweep_answer(const SweepTable& table, const SweepQuestion& question);

/// The number of the scenario that the answer names: the best that meets the goal, or the best of
/// all that leave no work undone. Absent: there is none.
[[nodiscard]] std::optional<std::uint64_t> best_scenario(const SweepTable& table,
                                                         const SweepQuestion& question);

}} // namespace bursar::reports
