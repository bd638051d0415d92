#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Writes spare nodes, quotas, and how nodes of pools with a range are launched and end. Throws
/// ScenarioError for a quota that limits nothing, or that is below the nodes at the begin.
void plan_provisioning(const CompileInput& input, Compiled& compiled);

/// Adds the least number of nodes of pool `pool` by its schedule, hour by hour of the week, from 0
/// until `until`. zero_utc_ms: date of the scenario's zero. A run without one begins on a Monday at
/// 0:00 of the schedule's zone.
void add_schedule(const Scenario& scenario,
                  std::size_t pool,
                  std::optional<std::int64_t> zero_utc_ms,
                  Duration until,
                  std::vector<WorldEvent>& events);

/// Whether the least number of nodes of a pool changes during a run.
[[nodiscard]] bool changes_least_nodes(const PoolSpec& pool);

/// Adds the least number of nodes of a pool with a range: by its schedule and by predictions.
void add_least_nodes(const DrawInput& input,
                     const Plan& plan,
                     std::size_t pool,
                     std::vector<WorldEvent>& events);

/// Adds the times in which launches of a pool fail.
void add_launch_failures(const DrawInput& input,
                         const Plan& plan,
                         std::size_t pool,
                         std::vector<WorldEvent>& events);

/// About how many they are, as Feature::expected_draws.
[[nodiscard]] double expected_launch_changes(const DrawInput& input, std::size_t pool);

/// Sets how many nodes are up at 0: the schedule's number, unless the scenario states one, and at
/// most those available. plan: with its world.
void set_first_nodes(const Scenario& scenario, Plan& plan);

/// Assumptions about the least number of nodes; warnings of boots and predictions that come too
/// late for a run with an end.
[[nodiscard]] Notes provisioning_notes(const CompileInput& input, const Compiled& compiled);

}} // namespace bursar::scenarios
