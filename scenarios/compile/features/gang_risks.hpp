#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Rate at which a gang of `nodes` nodes of pool `pool` is interrupted, by the pool's laws and
/// files. It does not use the draws of the run: young-daly and brokers cannot know them. used:
/// nodes of the pool that are launched at a time, >= nodes. zero_utc_ms: date of the scenario's
/// zero, if it has one. Throws ScenarioError for a dated file if the scenario has no date.
[[nodiscard]] GangRisk gang_risk_of(const Scenario& scenario,
                                    std::size_t pool,
                                    std::optional<std::int64_t> zero_utc_ms,
                                    std::uint32_t nodes,
                                    std::uint32_t used);

/// Nodes of each pool that are launched at a time, if every job that may use the pool ran there
/// from its submit on, at reference speed: the mean over the GPU time of those jobs. All nodes if
/// nodes do not come and go with demand. plan: with its jobs. until: later demand is left out.
[[nodiscard]] std::vector<std::uint32_t>
nodes_in_use(const Scenario& scenario, const Plan& plan, Duration until);

/// Writes the risks that the scenario's broker believes in, if it uses any. plan: with its jobs.
void plan_gang_risks(const Scenario& scenario,
                     std::optional<std::int64_t> zero_utc_ms,
                     Duration until,
                     Plan& plan);

}} // namespace bursar::scenarios
