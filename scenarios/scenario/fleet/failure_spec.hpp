#pragma once

#include <cstdint>
#include <string>

#include "models/reliability/failure_draws.hpp"
#include "models/reliability/maintenance.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace scenarios {

/// How the nodes of a pool fail: key `failures`.
struct FailureSpec {
    std::string like; ///< an entry of `bursar catalog failures`; empty: the rates below
    double per_gpu_hour{};
    double per_node_day{};
    RepairTime repair{};    ///< from when the failure is noticed
    Duration detect{};      ///< how long the jobs on a failed node hold their GPUs
    Duration hang_detect{}; ///< the same of those that hang
    double hangs{};         ///< share of the failures that leave jobs standing still, 0..1
    InfantMortality infancy{};
    std::int64_t nodes_per_rack{}; ///< 0: racks do not fail
    double per_rack_day{};
    RepairTime rack_repair{};
};

/// Windows in which nodes are worked on: key `maintenance`.
struct MaintenanceSpec {
    MaintenancePlan windows;
    Duration drain{}; ///< for so long before a window its nodes take no new work
};

/// Nodes that are slow for the whole run: key `stragglers`.
struct StragglerSpec {
    double share{};    ///< of the nodes, in (0, 1]
    double slowdown{}; ///< time there over time elsewhere, > 1
};

}} // namespace bursar::scenarios
