#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reports/goal/goal.hpp"
#include "reports/scalars/scalars.hpp"

namespace bursar { inline namespace reports {

/// What is asked of a sweep.
struct SweepQuestion {
    std::vector<const ScalarRow*> metrics; ///< the best are by the first, the front is of the first
                                           ///< two; at least one
    std::size_t best{5};                   ///< how many of the best are shown
    std::optional<Goal> goal{};
};

/// By cost.total, and the 90th percentile of waiting.
[[nodiscard]] SweepQuestion usual_question();

}} // namespace bursar::reports
