#pragma once

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/compile/places/locality_plan.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Turns the rows of a workload into jobs of a plan, by submit time, with their classes, speeds,
/// shapes, names and notes. The plan has its pools and locality levels. Throws ScenarioError as
/// compile() does for jobs.
void compile_jobs(const Scenario& scenario,
                  const Catalogue& catalogue,
                  const LocalityPlan& places,
                  const Trace& trace,
                  Compiled& compiled);

}} // namespace bursar::scenarios
