#pragma once

#include <optional>
#include <string>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace sim {

/// What is wrong with a plan, as a sentence about one of its columns; absent: nothing that a run
/// relies on. Whatever the engine reads at an index of the plan lies in the plan then, its times
/// ascend, and what it divides by is not 0.
///
/// Compilation makes such plans. This is for plans that come from elsewhere, and for tests. Cost:
/// one pass over the columns.
[[nodiscard]] std::optional<std::string> check_plan(const Plan& plan);

}} // namespace bursar::sim
