#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/market/supply_series.hpp"

#include "sim/plan/plan.hpp"

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Nodes of pool `pool` that are available, in scenario time, from 0 until `until`, or to the end
/// of its file. In a file of yes and no, yes means all nodes. zero_utc_ms: date of the scenario's
/// zero, if it has one. Throws ScenarioError for a dated file if the scenario has no date.
[[nodiscard]] SupplySeries supply_of(const Scenario& scenario,
                                     std::size_t pool,
                                     std::optional<std::int64_t> zero_utc_ms,
                                     Duration until);

/// Reclaims per hour that hit a gang of `nodes` nodes of the pool. From a file: those between the
/// run's zero and the file's end. Under a bid: those of its prices, for drawn prices over a year
/// drawn with a fixed seed. Else by the law. used: nodes that are launched at a time. Throws as
/// supply_of and supply_under_bid.
[[nodiscard]] double reclaims_per_hour(const Scenario& scenario,
                                       std::size_t pool,
                                       std::optional<std::int64_t> zero_utc_ms,
                                       std::uint32_t nodes,
                                       std::uint32_t used);

/// All nodes while the pool's price is not above its bid, else none. Throws ScenarioError where the
/// price does not change.
[[nodiscard]] SupplySeries
supply_under_bid(const Scenario& scenario, const Plan& plan, std::size_t pool);

/// Adds its changes as events. A decrease comes when it is announced, but not before 0.
void add_supply(const DrawInput& input,
                const Plan& plan,
                std::size_t pool,
                std::vector<WorldEvent>& events);

/// About how many times its nodes come or go, where they are drawn; as Feature::expected_draws.
[[nodiscard]] double expected_supply_steps(const DrawInput& input, std::size_t pool);

/// Its assumptions, and findings about its files.
[[nodiscard]] Notes supply_notes(const CompileInput& input, const Compiled& compiled);

/// A warning if a run that ended at `end` reaches past the end of the pool's file, or if the file
/// covers less than half of it.
[[nodiscard]] std::optional<std::string> supply_warning(const Scenario& scenario,
                                                        std::size_t pool,
                                                        std::optional<std::int64_t> zero_utc_ms,
                                                        Duration end);

}} // namespace bursar::scenarios
