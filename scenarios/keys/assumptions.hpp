#pragma once

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Takes pools of 0 nodes out of the fleet, and says so under `assumed`.
void leave_out_empty_pools(Scenario& scenario);

/// What the scenario leaves open and the run takes for granted.
void add_assumptions(Scenario& scenario);

/// What its pools would do and this version does not simulate.
void add_unmodelled(Scenario& scenario);

}} // namespace bursar::scenarios
