#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/opaque_id.hpp"

namespace bursar { inline namespace sim {

/// A job of the plan: its place in submit order.
using JobId = OpaqueId<struct JobTag>;

/// A running attempt: its slot among the live ones (sim/engine/attempts/live_attempts.hpp), reused
/// after the attempt has ended.
using AttemptId = OpaqueId<struct AttemptTag>;

/// A pool of the plan; num_pools: none.
using PoolId = OpaqueId<struct PoolTag>;
using StoredPoolId = OpaqueId<struct PoolTag, std::uint16_t>;

/// A shape of the plan's jobs.
using ShapeId = OpaqueId<struct ShapeTag>;
using StoredShapeId = OpaqueId<struct ShapeTag, std::uint16_t>;

/// A tenant; num_tenants: none.
using TenantId = OpaqueId<struct TenantTag>;
using StoredTenantId = OpaqueId<struct TenantTag, std::uint16_t>;

/// Where work was done, for its leaves and its price: the shape and class say with how many GPUs.
struct WorkPlace {
    StoredPoolId pool{};
    StoredShapeId shape{};
    std::uint16_t job_class{};
    std::uint16_t level{}; ///< locality level, as an index of Plan::speeds

    friend BURSAR_HD bool operator==(const WorkPlace& a, const WorkPlace& b) {
        return a.pool == b.pool && a.shape == b.shape && a.job_class == b.job_class &&
               a.level == b.level;
    }
};

}} // namespace bursar::sim
