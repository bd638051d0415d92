#pragma once

#include <cstdint>

#include "models/units/units.hpp"

#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The pools that a job with a deadline may use: cheap capacity, which may be reclaimed, while it
/// can afford to wait for it; after that only pools that are not reclaimed.
///
/// A waiting job falls back once the time until its deadline is at most the sum of three: its time
/// on the slowest late pool, `boot_ms`, and the recovery and loss that one more attempt on an early
/// pool may cost. From then on it uses late pools only. Source: Wu et al. 2024 (NSDI, "Can't Be
/// Late"), the rules of thrift, of the safety net and of exploitation; they count two changeovers
/// where a boot takes no time and no work is lost.
///
/// For `boot_ms` from then on the job has a claim on its late pools, unless a head blocks the
/// queue: jobs whose claims end later leave the nodes of these pools to it.
///
/// If jobs keep their pace (Plan::keeps_pace), a waiting job also falls back when it is behind
/// schedule: its fraction of work done is below the fraction of its time until the deadline that
/// has passed. It moves back to an early pool with room once it is two recoveries ahead of schedule
/// (plus one save interval, if it saves at intervals). Source: ibid., Uniform Progress.
struct JobFallback {
    JobId job{};
    std::uint64_t early_pools{}; ///< bits as in JobShape::permitted_pools; never 0
    std::uint64_t late_pools{};  ///< likewise; none in both
    std::int64_t loss_ms{};      ///< the most work that an attempt on an early pool may lose
    std::int64_t boot_ms{};      ///< the longest boot of a node of a late pool
};

/// The broker's belief of how often per hour a pool reclaims nodes from gangs of one size.
struct GangRisk {
    double failures{};
    double reclaims{};
    double maintenance{};
    Duration notice{}; ///< of reclaims
};

/// Whether running jobs move to a pool that the broker prefers to theirs, once that pays.
///
/// Moves are considered at every multiple of `every_ms`, and after the pass of an instant with a
/// change: GPUs were released, nodes came or went, or the order of pools or admission changed.
/// Running jobs are considered in submit order, and all of them again after each move. None moves
/// while a waiting job blocks those behind it, and none takes GPUs that a waiting job could have:
/// the pass has served waiting jobs first. A job's candidate is the first pool in its order with
/// room for its gang that admits it, if that comes before its own pool. It moves if the believed
/// cost of finishing where it is exceeds that of finishing there by more than `margin_milli`
/// thousandths. Costs are held time at the current price. Moving also costs the save (held where it
/// is), the unsaved work done again, the recovery and the egress of saved state. Work there is
/// assumed at the pool's slowest speed. A pool that is paid anyway costs nothing.
///
/// The job is stopped (StopCause::migrated) and waits again. While it saves, no other job moves to
/// the GPUs that it will use, but arriving jobs may take them.
/// If waiting jobs launch nodes, running jobs that would finish cheaper by the margin launch nodes
/// after them. They do so in the pools of their order up to the candidate or, without one, their
/// own.
struct PlanMigration {
    static constexpr std::int64_t one_stretch = std::int64_t{1} << 20U;
    static constexpr std::int64_t max_stretch = one_stretch << 30U;

    bool is_on{};
    std::int64_t margin_milli{}; ///< >= 0
    std::int64_t every_ms{};     ///< 0: only after changes
};

}} // namespace bursar::sim
