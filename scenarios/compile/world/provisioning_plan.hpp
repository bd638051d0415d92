#pragma once

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// How the nodes of pools with a range of them come and go, which are kept aside, and what quotas
/// allow; nothing where there is none of it. Precondition: the plan has its pools. Throws
/// ScenarioError for a quota that limits nothing, or less than there is at the begin.
void plan_provisioning(const Scenario& scenario, Plan& plan);

}} // namespace bursar::scenarios
