#pragma once

#include <cstddef>
#include <vector>

#include "sim/plan/world_event.hpp"

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The model that a pool's failures are drawn from. Repairs include the time until the failure is
/// noticed.
[[nodiscard]] FailureModel failure_model(const FailureSpec& spec);

/// Adds the failures of a pool's nodes and their repairs. A failure of a node in repair makes that
/// repair longer and is not counted as a second failure.
void add_failures(const DrawInput& input,
                  const Plan& plan,
                  std::size_t pool,
                  std::vector<WorldEvent>& events);

/// About how many events they are, as Feature::expected_draws.
[[nodiscard]] double expected_failure_events(const DrawInput& input, std::size_t pool);

/// Adds the maintenance of a pool's nodes: when each closes, and when it works again.
void add_maintenance(const DrawInput& input,
                     const Plan& plan,
                     std::size_t pool,
                     std::vector<WorldEvent>& events);

/// How many events they are.
[[nodiscard]] double maintenance_events(const DrawInput& input, std::size_t pool);

/// A warning if a run of that length outlasts the log of faults of the pool.
[[nodiscard]] std::optional<std::string> fault_log_warning(const PoolSpec& pool, Duration end);

/// Assumptions about failure rates of the catalogue, and about logs of faults.
[[nodiscard]] Notes failure_notes(const CompileInput& input, const Compiled& compiled);

}} // namespace bursar::scenarios
