#pragma once

#include <string>
#include <vector>

#include "models/gpu/gpu.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// What jobs of a class multiply in on that GPU: what the class pins, else what `policy.precision`
/// makes of `given`.
[[nodiscard]] Precision
job_format(const Scenario& scenario, const ClassSpec& spec, const Gpu& gpu, Precision given);

/// Throws ScenarioError where `policy.precision` names formats for the whole cluster and a GPU of
/// it has none of them, as far as a class goes by the policy there.
void check_cluster_format(const Scenario& scenario, const Catalogue& catalogue);

/// Where a GPU lacks the first of several such formats, and which it has instead. Precondition:
/// they are checked.
[[nodiscard]] std::vector<std::string> later_formats(const Scenario& scenario,
                                                     const Catalogue& catalogue);

}} // namespace bursar::scenarios
