#pragma once

#include "scenarios/reader/reader.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Rules between several key tables: pool names are unique, classes name pools of the fleet, only
/// the last class has no match. Works on the document, so that it also reports when other values
/// are wrong. at: the root.
void check_across(const Reader& at, const Scenario& scenario);

/// Adds a warning for each setting that is allowed and probably a mistake.
void add_warnings(const Reader& at, Scenario& scenario);

}} // namespace bursar::scenarios
