#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/plan/world_event.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Adds how many nodes pool `pool` has at least, hour by hour of the week, from 0 until `until`.
/// zero_utc_ms: the date of the scenario's zero; a run without one begins on a Monday at 0:00 of
/// the schedule's zone.
void add_schedule(const Scenario& scenario,
                  std::size_t pool,
                  std::optional<std::int64_t> zero_utc_ms,
                  Duration until,
                  std::vector<WorldEvent>& events);

/// What is taken for granted about it.
[[nodiscard]] std::vector<std::string> schedule_notes(const PoolSpec& pool,
                                                      std::optional<std::int64_t> zero_utc_ms);

}} // namespace bursar::scenarios
