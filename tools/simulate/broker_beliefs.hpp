#pragma once

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace tools {

/// Adds to `result` what the scenario's broker believed the work of each attempt to cost. plan:
/// that was run.
void note_beliefs(const Scenario& scenario, const Plan& plan, Result& result);

}} // namespace bursar::tools
