#pragma once

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace tools {

/// Tells `result` what the scenario's broker took work to cost where it put it. plan: that was run.
void note_beliefs(const Scenario& scenario, const Plan& plan, Result& result);

}} // namespace bursar::tools
