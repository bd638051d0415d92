#pragma once

#include <vector>

#include "sim/plan/world_event.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The model that a pool's failures are drawn from; repairs hold the time until they are noticed.
[[nodiscard]] FailureModel failure_model(const FailureSpec& spec);

/// Adds the nodes of pool `pool` that fail before `until`, and when they work again. A failure
/// of a node that is being repaired makes that repair the longer and is none of its own.
void add_failures(const Scenario& scenario,
                  std::size_t pool,
                  Duration until,
                  std::vector<WorldEvent>& events);

/// The same of nodes that are maintained.
void add_maintenance(const Scenario& scenario,
                     std::size_t pool,
                     Duration until,
                     std::vector<WorldEvent>& events);

}} // namespace bursar::scenarios
