#pragma once

#include <cstdint>
#include <limits>

#include "models/market/supply_fit.hpp"
#include "models/market/supply_series.hpp"
#include "models/reliability/failure_draws.hpp"
#include "models/reliability/maintenance.hpp"

/// Rates of interruptions of one gang (FORMULAS 6.4), for Young's and Daly's rules and for brokers
/// that compare pools.
namespace bursar { inline namespace models {

inline constexpr std::int32_t all_nodes = std::numeric_limits<std::int32_t>::max();

/// The probability that a gang of n of a nodes loses one or more when b of the a remain: 1 - C(b,
/// n) / C(a, n), and 1 where b < n. before: a; after: b < a; nodes: n, 1 .. a.
[[nodiscard]] double chance_to_be_hit(std::int64_t before, std::int64_t after, std::int64_t nodes);

/// Failures per hour of `nodes` nodes past their infant mortality, on as few racks as possible:
/// nodes · (GPUs · per_gpu + per_node) + racks · per_rack. nodes: >= 1.
[[nodiscard]] double
gang_failures_per_hour(const FailureModel& model, std::uint32_t nodes, std::uint32_t gpus_per_node);

/// Times per hour that a gang of `nodes` random available nodes loses one or more while that many
/// are available: at each fall of the supply, with chance_to_be_hit(). 0 where that many are never
/// available. At most `used` nodes are launched, so a fall above that hits none. nodes: >= 1. used:
/// >= nodes.
[[nodiscard]] double gang_reclaims_per_hour(const SupplySeries& supply,
                                            std::int32_t nodes,
                                            std::int32_t used = all_nodes);

/// The same for a law. If all lives are exponential and all nodes are used: nodes / U_node + 1 /
/// U_zone; otherwise measured on a drawn year.
[[nodiscard]] double gang_reclaims_per_hour(const SupplyModel& supply,
                                            std::int32_t nodes,
                                            std::int32_t used = all_nodes);

/// Times per hour that maintenance hits a gang of `nodes` random nodes of a pool of `of_pool`.
/// nodes: 1 .. of_pool.
[[nodiscard]] double gang_maintenance_per_hour(const MaintenancePlan& maintenance,
                                               std::uint32_t nodes,
                                               std::uint32_t of_pool);

}} // namespace bursar::models
