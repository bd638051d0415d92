#pragma once

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar::inline sim {

/// Gives on-demand and spot capacity back at `when`: it is paid until then, in whole billing steps,
/// and not to the end of the run. The fingerprint of a run that gives something back is its own.
///
/// Precondition: from `when` on, which is not after the end, nothing runs or waits.
void give_back(const Plan& plan, Duration when, Outcome& outcome);

} // namespace bursar::inline sim
