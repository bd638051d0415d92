#pragma once

#include <span>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Every feature of the world and of cost that plans hold, in the order in which compile() asks
/// them.
[[nodiscard]] std::span<const Feature> features();

/// Whether anything in the scenario moves the world by itself: failures, maintenance, supply.
[[nodiscard]] bool has_world(const Scenario& scenario);

/// What happens to the nodes of the pools, by time; the same whatever the policies do. plan: with
/// its pools, prices and jobs, which predictions are made of. Seeded by the scenario's seed. Throws
/// ScenarioError where it is more than can be held, and for dated files without a dated zero.
[[nodiscard]] std::vector<WorldEvent> world_events(const DrawInput& input, const Plan& plan);

/// Draws the prices and the world of a plan with its jobs, and what follows from them, in place of
/// what it has. Throws as world_events() and plan_prices().
void draw(const DrawInput& input, Plan& plan);

}} // namespace bursar::scenarios
