#pragma once

#include <cstddef>
#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// Limits on preemption.
struct PreemptionLimits {
    static constexpr std::uint32_t no_limit = 0xffffffffU;

    std::uint32_t max_per_job{no_limit}; ///< a job preempted this often runs to its end
    std::int64_t min_run_ms{}; ///< an attempt that has held its GPUs for less is not preempted
    std::int64_t grace_ms{};   ///< a preempted attempt runs for this long before it stops
};

/// What a pass does when the head does not fit.
enum class HeadRule : std::uint8_t {
    block, ///< nothing behind it starts
    skip,  ///< the next one in order that fits starts
};

/// The recovery of an attempt that was preempted before its recovery ended.
enum class UnfinishedRecovery : std::uint8_t {
    anew, ///< only the next attempt's recovery counts
    owed, ///< the next attempt does the rest of it, then its own recovery
};

/// The victims that a waiting job may stop, one by one (sim/engine/preemption/any_victims.hpp).
enum class VictimRule : std::uint8_t {
    none,           ///< no job
    priority,       ///< running jobs of lower priority
    value,          ///< running jobs whose GPU time is worth less
    share,          ///< running jobs of tenants that hold a larger share of GPUs
    dominant_share, ///< likewise, of the resource of which each holds the largest share
};

/// When a waiting job goes back to the first queue of an order that has queues by service.
struct PromotionRule {
    std::int64_t factor{}; ///< once it has waited for this many times its time on GPUs; 0: never
    std::int64_t first_queue{}; ///< service at which that queue ends: GPU-ms, or ms if by_time
    bool by_time{};

    [[nodiscard]] BURSAR_HD bool is_on() const { return factor > 0; }
};

/// The registered placement of a run, and the bytes of its functor, which only policies read.
struct PlacementSetting {
    static constexpr std::size_t max_bytes = 24;
    std::uint32_t policy{};
    alignas(8) std::byte functor[max_bytes]{};
    bool in_any_pool{}; ///< compares nodes of all permitted pools, not pool after pool
};

struct AllocatorRun;

/// The settings in which runs of one engine instance on one plan may differ.
struct RunOptions {
    HeadRule head{HeadRule::block};
    UnfinishedRecovery unfinished_recovery{UnfinishedRecovery::anew};
    PlacementSetting placement{};
    bool stops_attempts{true}; ///< whether a pass that can stop attempts may do so
    VictimRule victims{VictimRule::none};
    bool reserves_for_head{};  ///< EASY: a blocked head gets a reservation, others backfill
    PreemptionLimits limits{}; ///< for victims chosen one by one
    PromotionRule promotion{}; ///< where every pass distributes all GPUs again
    std::int64_t quantum_ms{}; ///< rounds are its multiples; 0: at any event
    std::uint32_t backfill_depth{0xffffffffU}; ///< conservative: most reservations at once
    AllocatorRun* allocator{};                 ///< of an AllocationPass; not owned
    bool resizes{};                            ///< the allocator gives jobs other forms
};

/// The sizes of an arena that no column of the plan limits.
struct ArenaSize {
    std::uint32_t max_live{};        ///< attempts that hold GPUs at once
    std::uint32_t max_resumed{};     ///< stopped jobs that wait at once
    std::uint32_t max_provisional{}; ///< entries of ProvisionalWork

    /// The most stopped jobs of a plan that wait or run again at once.
    [[nodiscard]] BURSAR_HD std::uint32_t max_carried(std::uint32_t num_jobs) const {
        const std::uint64_t all = std::uint64_t{max_resumed} + max_live;
        return all < num_jobs ? static_cast<std::uint32_t>(all) : num_jobs;
    }
    bool operator==(const ArenaSize&) const = default;
};

}} // namespace bursar::sim
