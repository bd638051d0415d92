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

/// The nodes of pool `pool` that can be had, in scenario time, from 0 until `until` or, of a file,
/// to its end; a file that says yes or no means all of them or none. zero_utc_ms: the date of the
/// scenario's zero, if it has one. Throws ScenarioError for a dated file without a dated zero.
[[nodiscard]] SupplySeries supply_of(const Scenario& scenario,
                                     std::size_t pool,
                                     std::optional<std::int64_t> zero_utc_ms,
                                     Duration until);

/// Reclaims per hour that hit a gang of `nodes` nodes of the pool. From a file: what it shows from
/// the run's zero to its end. Under a bid: what prices do, for drawn prices over a year of other
/// draws. Else by the law. used: nodes that are launched at a time. Throws as supply_of and
/// supply_under_bid.
[[nodiscard]] double reclaims_per_hour(const Scenario& scenario,
                                       std::size_t pool,
                                       std::optional<std::int64_t> zero_utc_ms,
                                       std::uint32_t nodes,
                                       std::uint32_t used);

/// All nodes while the pool's price is not above its bid, else none. Throws ScenarioError where the
/// price does not change.
[[nodiscard]] SupplySeries
supply_under_bid(const Scenario& scenario, const Plan& plan, std::size_t pool);

/// Adds its changes as events. Decreases come when they are announced, but not before 0.
void add_supply(const DrawInput& input,
                const Plan& plan,
                std::size_t pool,
                std::vector<WorldEvent>& events);

/// What is assumed of it, and what was noticed in its files.
[[nodiscard]] Notes supply_notes(const CompileInput& input, const Compiled& compiled);

/// A warning where a run that ended at `end` reaches past the times in the pool's file, or lies
/// mostly outside of them.
[[nodiscard]] std::optional<std::string> supply_warning(const Scenario& scenario,
                                                        std::size_t pool,
                                                        std::optional<std::int64_t> zero_utc_ms,
                                                        Duration end);

}} // namespace bursar::scenarios
