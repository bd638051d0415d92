#pragma once

#include <cstdint>

namespace bursar { inline namespace sim {

/// Whether running jobs are moved to a pool that the broker puts before theirs, once that pays.
///
/// They are looked at after the pass of an instant at which GPUs were given back, nodes came or
/// went, the order of pools or who may start changed, and at every multiple of `every_ms`; the job
/// that was submitted first comes first, and after each move all of them again. None moves while a
/// waiting job blocks those behind it, and none to GPUs that a waiting job could have: that pass
/// has served those who wait. A job is looked at where the first pool of its order that has room
/// for its gang now, and admits it, comes before its own. It moves if what the broker believes it
/// costs to end where it is is more than to end there and `margin_milli` thousandths of that: held
/// time times the price as it is now. There: the save, held where it is, what was not saved and
/// must be done again, its recovery, its work at the pool's slowest speed, and the egress of what
/// it has saved. A pool that is paid anyway costs nothing.
///
/// It is stopped (StopCause::migrated) and waits again; while it saves, nobody else leaves for the
/// GPUs that it goes to, but who arrives may have them.
/// Where nodes are launched by who waits, it asks behind those for what it lacks in the pools of
/// its order up to that one, or up to its own, where ending would cost so much less.
struct PlanMigration {
    static constexpr std::int64_t one_stretch = std::int64_t{1} << 20U;
    static constexpr std::int64_t max_stretch = one_stretch << 30U;

    bool is_on{};
    std::int64_t margin_milli{}; ///< >= 0
    std::int64_t every_ms{};     ///< 0: at no stated times
};

}} // namespace bursar::sim
