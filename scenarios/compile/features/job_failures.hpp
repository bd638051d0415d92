#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/plan/provisioning.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// How jobs of a class fail by themselves on a pool.
[[nodiscard]] OwnFailures own_failures(const Scenario& scenario,
                                       const Catalogue& catalogue,
                                       const ClassSpec& spec,
                                       std::size_t pool);

/// Writes the rates of own failures of jobs into the plan, which has its jobs and classes. Warns of
/// jobs that hardly ever finish. Throws ScenarioError if a class has failures of a number format
/// and the format of its jobs is not specified.
void plan_job_failures(const CompileInput& input, Compiled& compiled);

}} // namespace bursar::scenarios
