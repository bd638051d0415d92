#pragma once

#include <string>
#include <vector>

#include "models/gpu/gpu.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The number format of a class's matrix products on that GPU: the one that the class pins, else
/// the choice of `policy.precision` for `given`.
[[nodiscard]] Precision
job_format(const Scenario& scenario, const ClassSpec& spec, const Gpu& gpu, Precision given);

/// Throws ScenarioError if `policy.precision` names formats for the whole cluster and some GPU has
/// none of them. GPUs on which no class follows the policy do not count.
void check_cluster_format(const Scenario& scenario, const Catalogue& catalogue);

/// Notes on GPUs that lack the first of several such formats, and on the format used instead.
/// Precondition: check_cluster_format() passed.
[[nodiscard]] std::vector<std::string> later_formats(const Scenario& scenario,
                                                     const Catalogue& catalogue);

}} // namespace bursar::scenarios
