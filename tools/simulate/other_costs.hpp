#pragma once

#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

#include "reports/result/result.hpp"

#include "tools/simulate/run_scenario.hpp"

namespace bursar { inline namespace tools {

/// Adds what a run costs that is no GPU time to the result of the run, and what is assumed of it.
/// plan: at whose prices it was billed. paid: its nodes, as Run has them.
void add_other_costs(const CompiledRun& run,
                     const Plan& plan,
                     const std::vector<PaidNodes>& paid,
                     Result& result);

}} // namespace bursar::tools
