#pragma once

#include <optional>
#include <string>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace sim {

/// The first flaw of a plan, as a sentence about one of its columns; absent: a run can rely on the
/// plan. Then every index lies in its column, times ascend, and no divisor is 0.
///
/// Compilation makes such plans. This is for plans that come from elsewhere, and for tests. Cost:
/// one pass over the columns.
[[nodiscard]] std::optional<std::string> check_plan(const Plan& plan);

}} // namespace bursar::sim
