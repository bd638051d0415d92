#pragma once

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Removes pools of 0 nodes from the fleet; notes it in `assumed`.
void leave_out_empty_pools(Scenario& scenario);

/// Notes the defaults that the scenario leaves open in `assumed`.
void add_assumptions(Scenario& scenario);

/// Notes what this version does not simulate in `unmodelled`.
void add_unmodelled(Scenario& scenario);

}} // namespace bursar::scenarios
