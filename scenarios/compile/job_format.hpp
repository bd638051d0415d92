#pragma once

#include "models/gpu/gpu.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar::inline scenarios {

/// What jobs of a class multiply in on that GPU: what the class pins, else what `policy.precision`
/// makes of `given`.
[[nodiscard]] Precision
job_format(const Scenario& scenario, const ClassSpec& spec, const Gpu& gpu, Precision given);

/// Throws ScenarioError where `policy.precision` names a format for the whole cluster that a GPU of
/// it lacks, as far as a class goes by the policy there.
void check_cluster_format(const Scenario& scenario, const Catalogue& catalogue);

} // namespace bursar::inline scenarios
