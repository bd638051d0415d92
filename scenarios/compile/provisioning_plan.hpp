#pragma once

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar::inline scenarios {

/// How the nodes of pools with a range of them come and go; nothing where there is none.
/// Precondition: the plan has its pools.
void plan_provisioning(const Scenario& scenario, Plan& plan);

} // namespace bursar::inline scenarios
