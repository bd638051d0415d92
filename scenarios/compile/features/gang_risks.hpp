#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// How often a gang of `nodes` nodes of pool `pool` is interrupted. By the pool's laws and files,
/// not by the draws of the run: this is what young-daly and brokers know. used: nodes of the pool
/// that are launched at a time, >= nodes. zero_utc_ms: the date of the scenario's zero, if it has
/// one. Throws ScenarioError for a dated file without a dated zero.
[[nodiscard]] GangRisk gang_risk_of(const Scenario& scenario,
                                    std::size_t pool,
                                    std::optional<std::int64_t> zero_utc_ms,
                                    std::uint32_t nodes,
                                    std::uint32_t used);

/// Nodes of each pool that are launched at a time, if all jobs that may use it ran there from their
/// submit on, at reference speed: the mean over the GPU time that they hold. All nodes where nodes
/// do not come and go with demand. plan: with its jobs. until: later demand is left out.
[[nodiscard]] std::vector<std::uint32_t>
nodes_in_use(const Scenario& scenario, const Plan& plan, Duration until);

/// Writes the risks that the scenario's broker believes in, if it uses any. plan: with its jobs.
void plan_gang_risks(const Scenario& scenario,
                     std::optional<std::int64_t> zero_utc_ms,
                     Duration until,
                     Plan& plan);

}} // namespace bursar::scenarios
