#pragma once

#include <span>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Every feature of the world and of cost that plans hold, in the order in which compile() calls
/// them.
[[nodiscard]] std::span<const Feature> features();

/// Whether events change the nodes of a pool: failures, maintenance, limited supply and others.
[[nodiscard]] bool has_world(const Scenario& scenario);

/// Events of the pools' nodes, by time, seeded by the scenario. They do not depend on what policies
/// do. plan: with its pools, prices and jobs; predictions of demand need the jobs. Throws
/// ScenarioError for more events than can be held, and for dated files if the scenario has no date.
[[nodiscard]] std::vector<WorldEvent> world_events(const DrawInput& input, const Plan& plan);

/// Draws the prices and events of a plan with its jobs, and what follows from them, replacing those
/// it has. Throws as world_events() and plan_prices().
void draw(const DrawInput& input, Plan& plan);

}} // namespace bursar::scenarios
