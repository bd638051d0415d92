#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Whether anything in the scenario moves the world by itself: failures, maintenance, supply.
[[nodiscard]] bool has_world(const Scenario& scenario);

/// How far the world of a run without an end of its own is drawn at first. A run that goes on
/// behind that is drawn twice as far and run again: draws do not depend on how far they go, so
/// the world up to there is the same, and the second run begins with the first.
[[nodiscard]] Duration first_horizon(const Plan& plan);

/// What happens to the nodes of the pools from 0 until `until`, by time; the same whatever the
/// policies do. plan: with its pools and jobs, which predictions are made of. zero_utc_ms: the date
/// of 0, if it has one. Seeded by the scenario's seed. Throws ScenarioError where it is more than
/// can be held, and for dated files without a dated zero.
[[nodiscard]] std::vector<WorldEvent> world_events(const Scenario& scenario,
                                                   const Plan& plan,
                                                   std::optional<std::int64_t> zero_utc_ms,
                                                   Duration until);

/// Nodes that a schedule has at 0 are up then, unless the scenario says how many are; those that
/// cannot be had are not. plan: with its world.
void set_first_nodes(const Scenario& scenario, Plan& plan);

/// What of the world is taken for granted.
[[nodiscard]] std::vector<std::string> world_notes(const Scenario& scenario,
                                                   std::optional<std::int64_t> zero_utc_ms);

/// What was noticed in its files, and what comes too late for a run that ends at `until`, if it has
/// such an end: boots and predictions.
[[nodiscard]] std::vector<std::string> world_warnings(const Scenario& scenario,
                                                      std::optional<Duration> until);

}} // namespace bursar::scenarios
