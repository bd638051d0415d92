#pragma once

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Writes a scenario's pools into `plan`, their names into `labels`, and the order of pools by
/// name. Throws ScenarioError above max_pools pools.
void plan_fleet(const Scenario& scenario, Plan& plan, Labels& labels);

}} // namespace bursar::scenarios
