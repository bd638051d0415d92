#pragma once

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace sim {

/// Whether a run has pools that give_back() applies to: on demand or spot, with nodes that are
/// always there.
[[nodiscard]] bool gives_back(const Plan& plan);

/// Gives on-demand and spot capacity back at `when`: it is paid until then, in whole billing steps,
/// not to the end of the run. This changes the run's fingerprint. In a dynamic world,
/// Plan::unheld_from must have been `when`, because free capacity may then be in any leaf, not only
/// idle.no_demand.
///
/// Precondition: `when` is not after the end of the run, and no job runs from then on.
void give_back(const Plan& plan, Duration when, Outcome& outcome);

/// Ends launched nodes at `when`, when the last job has ended. Pools whose nodes are always there
/// are left to give_back().
void end_launched_nodes(Plan& plan, Duration when);

}} // namespace bursar::sim
