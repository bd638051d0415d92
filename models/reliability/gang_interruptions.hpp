#pragma once

#include <cstdint>
#include <limits>

#include "models/market/supply_fit.hpp"
#include "models/market/supply_series.hpp"
#include "models/reliability/failure_draws.hpp"
#include "models/reliability/maintenance.hpp"

/// How often something happens to the nodes of one gang (FORMULAS 6.4): what Young's and Daly's
/// rules ask for, and whoever compares pools.
namespace bursar { inline namespace models {

inline constexpr std::int32_t all_nodes = std::numeric_limits<std::int32_t>::max();

/// The chance that a gang of n nodes, any of a, has lost one or more of them where b of the a are
/// left: 1 - C(b, n) / C(a, n), and 1 where b < n. before: a; after: b < a; nodes: n, 1 .. a.
[[nodiscard]] double chance_to_be_hit(std::int64_t before, std::int64_t after, std::int64_t nodes);

/// Failures an hour of `nodes` nodes that are past their infancy, on as few racks as hold them:
/// nodes · (GPUs · per_gpu + per_node) + racks · per_rack. nodes: >= 1.
[[nodiscard]] double
gang_failures_per_hour(const FailureModel& model, std::uint32_t nodes, std::uint32_t gpus_per_node);

/// How often an hour a gang of `nodes` nodes, any of those that can be had, loses one or more of
/// them, while there are as many: where supply falls, with chance_to_be_hit(). 0 where so many can
/// never be had. Of what can be had at most `used` nodes are launched, so that a fall above that
/// takes none. nodes: >= 1. used: >= nodes.
[[nodiscard]] double gang_reclaims_per_hour(const SupplySeries& supply,
                                            std::int32_t nodes,
                                            std::int32_t used = all_nodes);

/// The same of a law. Where all lives are exponential and all nodes are used: nodes / U_node +
/// 1 / U_zone; else measured in a draw of a year, which is no run's.
[[nodiscard]] double gang_reclaims_per_hour(const SupplyModel& supply,
                                            std::int32_t nodes,
                                            std::int32_t used = all_nodes);

/// How often an hour maintenance takes a gang of `nodes` nodes of a pool of `of_pool`, any of them.
/// nodes: 1 .. of_pool.
[[nodiscard]] double gang_maintenance_per_hour(const MaintenancePlan& maintenance,
                                               std::uint32_t nodes,
                                               std::uint32_t of_pool);

}} // namespace bursar::models
