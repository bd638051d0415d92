#pragma once

#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// Maintenance at set times: nodes of a pool are taken out in turn, `nodes_at_once` at a time.
struct MaintenancePlan {
    Duration first;              ///< begin of the first window; >= 0
    Duration every;              ///< from one begin to the next; > 0
    Duration length;             ///< of a window; > 0, at most `every`
    std::uint32_t nodes_at_once; ///< 0: all of the pool
};

/// One window: nodes first_node .. first_node + num_nodes - 1 are in maintenance.
struct MaintenanceWindow {
    std::int64_t begin_ms{};
    std::int64_t end_ms{};
    std::uint32_t first_node{};
    std::uint32_t num_nodes{};

    friend bool operator==(const MaintenanceWindow&, const MaintenanceWindow&) = default;
};

/// The windows that begin before `horizon`, by time. Each continues where the one before ended; one
/// that reaches the last node covers fewer, and the next begins with node 0. nodes: of the pool,
/// >= 1. Throws ModelError for times out of range.
[[nodiscard]] std::vector<MaintenanceWindow>
maintenance_windows(const MaintenancePlan& plan, std::uint32_t nodes, Duration horizon);

}} // namespace bursar::models
