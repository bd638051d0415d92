#pragma once

#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/compile/features/feature.hpp"

namespace bursar { inline namespace scenarios {

/// Writes Plan::tenants and their quotas. Tenants without jobs lend theirs, and become tenants of
/// the plan. Throws ScenarioError if a tenant with jobs has no quota, or jobs are larger than what
/// their tenant can ever have.
void plan_tenants(const CompileInput& input, Compiled& compiled);

}} // namespace bursar::scenarios
