#pragma once

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compiled/compiled.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Compiles a scenario with its workload.
/// Throws ScenarioError for mistakes that need both to be seen: a job too large for every pool that
/// it may use (a skipped row under `on_bad_row: skip`), a submit time past the horizon, too many
/// pools, a model that no pool can train, a listed job with both a model and a duration, or with
/// neither.
Compiled compile(const Scenario& scenario, const Catalogue& catalogue, const Trace& trace);

}} // namespace bursar::scenarios
