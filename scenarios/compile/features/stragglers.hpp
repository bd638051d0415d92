#pragma once

#include <string>
#include <vector>

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Draws which nodes are slow, by the scenario's seed, and gives every job its speeds with such a
/// node in its gang. Rows of classes that gangs of different sizes share are split. The plan has
/// its jobs; steps that read its classes must come later. Throws ScenarioError for too many rows.
void plan_stragglers(const CompileInput& input, Compiled& compiled);

/// Speed of a gang of `slots` whose slowest node runs `slowdown` times slower. The extra time is
/// booked as Stall::sync. at_pace: its speed without the slow node.
[[nodiscard]] PlanSpeed
with_slow_node(const PlanSpeed& at_pace, std::int64_t slots, double slowdown);

}} // namespace bursar::scenarios
