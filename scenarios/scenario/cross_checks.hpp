#pragma once

#include "scenarios/reader/reader.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar::inline scenarios {

/// The rules between parts of a scenario that no single key table can hold: pool names are unique,
/// classes name pools there are, only the last class has no match. Works on the document, so that
/// it reports beside mistakes elsewhere. at: the root.
void check_across(const Reader& at, const Scenario& scenario);

/// What is allowed and probably not meant.
void add_warnings(const Reader& at, Scenario& scenario);

/// Takes pools of 0 nodes out of the fleet, and says so under `assumed`.
void leave_out_empty_pools(Scenario& scenario);

/// What the scenario leaves open and the run takes for granted.
void add_assumptions(Scenario& scenario);

/// What its pools would do and this version does not simulate.
void add_unmodelled(Scenario& scenario);

} // namespace bursar::inline scenarios
