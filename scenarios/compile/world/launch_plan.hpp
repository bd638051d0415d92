#pragma once

#include <vector>

#include "sim/plan/world_event.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Adds from when to when launches of pool `pool` fail, from 0 until `until`.
void add_launch_failures(const Scenario& scenario,
                         std::size_t pool,
                         Duration until,
                         std::vector<WorldEvent>& events);

}} // namespace bursar::scenarios
