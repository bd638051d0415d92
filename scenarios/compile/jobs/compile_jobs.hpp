#pragma once

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/compile/places/locality_plan.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Turns the rows of a workload into the jobs of a plan that has its pools and locality levels, by
/// submit time, with all that belongs to them: their classes, speeds, shapes and names, and what is
/// to be said of them. Throws ScenarioError as compile() has it of jobs.
void compile_jobs(const Scenario& scenario,
                  const Catalogue& catalogue,
                  const LocalityPlan& places,
                  const Trace& trace,
                  Compiled& compiled);

}} // namespace bursar::scenarios
