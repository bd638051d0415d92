#pragma once

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace sim {

/// Whether a run has pools that give_back() is about: on demand or spot, and there all the time.
[[nodiscard]] bool gives_back(const Plan& plan);

/// Gives on-demand and spot capacity back at `when`: it is paid until then, in whole billing steps,
/// and not to the end of the run. The fingerprint of a run that gives something back is its own.
/// In a world that moves, the run was made with Plan::unheld_from at `when`: what is free from then
/// on need not be idle for want of demand.
///
/// Precondition: from `when` on, which is not after the end, nothing runs.
void give_back(const Plan& plan, Duration when, Outcome& outcome);

/// Lets the nodes that a run has launched end at `when`, at which its last job has ended; pools
/// whose nodes are all there all the time are give_back()'s.
void end_launched_nodes(Plan& plan, Duration when);

}} // namespace bursar::sim
