#pragma once

#include "scenarios/reader/reader.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The rules between parts of a scenario that no single key table can hold: pool names are unique,
/// classes name pools there are, only the last class has no match. Works on the document, so that
/// it reports beside mistakes elsewhere. at: the root.
void check_across(const Reader& at, const Scenario& scenario);

/// What is allowed and probably not meant.
void add_warnings(const Reader& at, Scenario& scenario);

}} // namespace bursar::scenarios
