#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/goal/goal.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/sweep/sweep_table.hpp"

namespace bursar { inline namespace reports {

/// What a sweep answers.
struct SweepQuestion {
    std::vector<const ScalarRow*> metrics; ///< the best are by the first, the front is of the first
                                           ///< two; at least one
    std::size_t best{5};                   ///< how many of the best are shown
    std::optional<Goal> goal{};
};

/// By cost.total, and the 90th percentile of waiting.
[[nodiscard]] SweepQuestion usual_question();

/// What a planner reads of a sweep first: the best scenarios, those that no other beats in both of
/// two metrics, which axis moves which metric how much, which scenario meets the goal for the
/// least, and how far seeds scatter. Means are over seeds; everything is paid to the common end
/// (paid_to_common_end). table: paid to each run's own end.
[[nodiscard]] Document sweep_answer(const SweepTable& table, const SweepQuestion& question);

}} // namespace bursar::reports
