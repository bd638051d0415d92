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

/// Adds the nodes of a pool that fail, and when they work again. A failure of a node that is being
/// repaired makes that repair longer and is no failure of its own.
void add_failures(const DrawInput& input,
                  const Plan& plan,
                  std::size_t pool,
                  std::vector<WorldEvent>& events);

/// Adds the nodes of a pool that are maintained, and when they work again.
void add_maintenance(const DrawInput& input,
                     const Plan& plan,
                     std::size_t pool,
                     std::vector<WorldEvent>& events);

/// What is assumed of failure rates of the catalogue.
[[nodiscard]] Notes failure_notes(const CompileInput& input, const Compiled& compiled);

}} // namespace bursar::scenarios
