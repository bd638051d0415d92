#pragma once

#include <cstdint>

#include "sim/plan/ids.hpp"
#include "sim/plan/stop_cause.hpp"

namespace bursar { inline namespace sim {

enum class WorldEventKind : std::uint8_t {
    stop_job,     ///< `job` is stopped, if it is at work
    node_offline, ///< `node` of `pool` takes no more work, and what runs on it is stopped
    node_online,  ///< it takes work again, if it went for that cause
    supply,       ///< `node` nodes of `pool` can be had; what is beyond is taken back
    pool_ends,    ///< the nodes of `pool` end, which run nothing any more
    min_nodes,    ///< `pool` has `node` nodes whether anybody waits or not
    pool_order,   ///< the order of pools at entry `job` of Plan::pool_preference becomes the one at
                  ///< entry `node` of Plan::pool_orders
    node_closes,  ///< `node` of `pool` takes no more work, and what runs on it goes on
    launches,     ///< `node` 0: nodes of `pool` that are launched do not come up; 1: they do again
    pool_admits,  ///< `node` 0: no job starts on `pool`, and its nodes, where they come and go, end
                  ///< as nobody holds them; 1: as before
    shape_admits, ///< `node` 0: no job of shape `job` starts; 1: as before
    run_closes,   ///< the run ends as soon as no job holds anything
};

/// Something that happens to a run from outside, whatever its policies do: after the ends of its
/// instant and before the arrivals, so that what ends then has ended.
///
/// An attempt is stopped once: what has been stopped already, or has ended its work, is left alone.
/// Under `capacity: count` a pool without a node has as many GPUs less, and its youngest attempts
/// leave.
struct WorldEvent {
    std::int64_t time_ms{};
    /// Abrupt causes: for how long its GPUs are held until it is noticed. supply: the notice.
    std::int64_t hold_ms{};
    JobId job{};
    std::uint32_t node{}; ///< or how many of them
    StoredPoolId pool{};
    WorldEventKind kind{};
    StopCause cause{StopCause::node_failed}; ///< of the stops; not preempted
};

}} // namespace bursar::sim
