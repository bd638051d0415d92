#pragma once

#include <cstdint>

#include "models/units/units.hpp"

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// What a job with a deadline may use: cheap capacity, which may be taken back, for as long as it
/// can afford to wait for it, and from then on only what stays.
///
/// It falls back as soon as it waits and the time until its deadline is no more than it needs on
/// the slowest of the late pools, `boot_ms`, and the worst that one more attempt on an early pool
/// can cost it: its recovery and what it may lose. From then on it stays there to its end. Source:
/// Wu et al. 2024 (NSDI, "Can't Be Late"), the rules of thrift, of the safety net and of
/// exploitation; they count two changeovers where a boot takes no time and no work is lost.
///
/// Where jobs keep their pace (Plan::keeps_pace), a job that waits also falls back when it has done
/// less of its work than its part of the time until its deadline that has passed. It moves back to
/// an early pool with room once it is ahead of that line by two recoveries (and, where it saves at
/// intervals, one of these). Source: ibid., Uniform Progress.
struct JobFallback {
    JobId job{};
    std::uint64_t early_pools{}; ///< bits as in JobShape::permitted_pools; never 0
    std::uint64_t late_pools{};  ///< likewise; none in both
    std::int64_t loss_ms{};      ///< of work, the most that an attempt on an early pool may lose
    std::int64_t boot_ms{};      ///< the longest boot of a node of a late pool
};

/// How often an hour a pool takes nodes from gangs of one size, as a broker believes.
struct GangRisk {
    double failures{};
    double reclaims{};
    double maintenance{};
    Duration notice{}; ///< of reclaims
};

/// Whether running jobs are moved to a pool that the broker puts before theirs, once that pays.
///
/// They are looked at after the pass of an instant at which GPUs were given back, nodes came or
/// went, the order of pools or admission changed, and at every multiple of `every_ms`; the job
/// that was submitted first comes first, and after each move all of them again. None moves while a
/// waiting job blocks those behind it, and none to GPUs that a waiting job could have: that pass
/// has served waiting jobs. A job is looked at where the first pool of its order that has room
/// for its gang now, and admits it, comes before its own. It moves if what the broker believes it
/// costs to end where it is is more than to end there and `margin_milli` thousandths of that: held
/// time times the price as it is now. There: the save, held where it is, what was not saved and
/// must be done again, its recovery, its work at the pool's slowest speed, and the egress of what
/// it has saved. A pool that is paid anyway costs nothing.
///
/// It is stopped (StopCause::migrated) and waits again; while it saves, no other job leaves for the
/// GPUs that it goes to, but arriving jobs may have them.
/// Where waiting jobs launch nodes, it asks behind those for what it lacks in the pools of
/// its order up to that one, or up to its own, where ending would cost less by the margin.
struct PlanMigration {
    static constexpr std::int64_t one_stretch = std::int64_t{1} << 20U;
    static constexpr std::int64_t max_stretch = one_stretch << 30U;

    bool is_on{};
    std::int64_t margin_milli{}; ///< >= 0
    std::int64_t every_ms{};     ///< 0: at no stated times
};

}} // namespace bursar::sim
