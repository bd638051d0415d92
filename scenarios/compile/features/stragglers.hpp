#pragma once

#include <string>
#include <vector>

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Draws which nodes are slow, by the scenario's seed, and gives every job its speeds with such a
/// node in its gang: rows of classes that gangs of different sizes share are split. The plan has
/// its jobs; whoever reads its classes comes after. Throws ScenarioError where there are too many.
void plan_stragglers(const CompileInput& input, Compiled& compiled);

/// How a gang of so many slots goes that waits for a node that is `slowdown` times as slow: all its
/// time takes that much longer, and what is added is lost to Stall::sync. at_pace: without it.
[[nodiscard]] PlanSpeed
with_slow_node(const PlanSpeed& at_pace, std::int64_t slots, double slowdown);

}} // namespace bursar::scenarios
