#pragma once

#include "reports/result/result.hpp"

#include "tools/simulate/run_scenario.hpp"

namespace bursar::inline tools {

/// Adds what a run costs that is no GPU time to the result of the run, and what is assumed of it.
void add_other_costs(const CompiledRun& run, Result& result);

} // namespace bursar::inline tools
