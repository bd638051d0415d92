#pragma once

#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of a class that say how much its jobs matter: priority, deadline, value.
std::vector<Key<ClassSpec>> worth_keys();

/// `shares`: the tenants' weights.
Key<Scenario> shares_key();

}} // namespace bursar::scenarios
