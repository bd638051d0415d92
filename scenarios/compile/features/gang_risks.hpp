#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// How often pool `pool` takes nodes from a gang of `nodes` of them, by its laws and files, not by
/// what is drawn for the run: what young-daly and brokers go by. used: of the pool, launched at a
/// time, >= nodes. zero_utc_ms: the date of the scenario's zero, if it has one. Throws
/// ScenarioError for a dated file without a dated zero.
[[nodiscard]] GangRisk gang_risk_of(const Scenario& scenario,
                                    std::size_t pool,
                                    std::optional<std::int64_t> zero_utc_ms,
                                    std::uint32_t nodes,
                                    std::uint32_t used);

/// Nodes of each pool that are launched at a time if all jobs that may use it run there, as each
/// began at its submit at reference speed: the mean over what they hold. At most all, and all where
/// nodes do not come and go with demand. plan: with its jobs. until: later demand is left out.
[[nodiscard]] std::vector<std::uint32_t>
nodes_in_use(const Scenario& scenario, const Plan& plan, Duration until);

/// Puts what the scenario's broker believes of pools into a plan that has its jobs, if it asks.
void plan_gang_risks(const Scenario& scenario,
                     std::optional<std::int64_t> zero_utc_ms,
                     Duration until,
                     Plan& plan);

}} // namespace bursar::scenarios
