#pragma once

#include <cstddef>
#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// When an attempt may not be preempted, and what it is granted if it is.
struct PreemptionLimits {
    static constexpr std::uint32_t no_limit = 0xffffffffU;

    std::uint32_t max_per_job{no_limit}; ///< a job preempted so often runs to its end
    std::int64_t min_run_ms{};           ///< an attempt that holds its GPUs for less stays
    std::int64_t grace_ms{};             ///< it runs on for so long before it stops
};

/// What a pass does when the job whose turn it is does not fit.
enum class HeadRule : std::uint8_t {
    block, ///< nothing behind it starts
    skip,  ///< the next one in order that fits starts
};

/// How recovery counts that an attempt had not finished when it was preempted.
enum class UnfinishedRecovery : std::uint8_t {
    anew, ///< the next attempt recovers once, in full
    owed, ///< it adds up: the next attempt does what was left and its own
};

/// Whom a waiting job may stop, one by one (sim/engine/preemption/any_victims.hpp).
enum class VictimRule : std::uint8_t {
    none,     ///< no job
    priority, ///< running jobs of lower priority
    value,    ///< running jobs whose GPU time is worth less
};

/// Which of the registered placements a run uses, and its options as the functor keeps them: bytes
/// that only the registry's side reads.
struct PlacementSetting {
    static constexpr std::size_t max_bytes = 24;
    std::uint32_t policy{};
    alignas(8) std::byte functor[max_bytes]{};
    bool in_any_pool{}; ///< nodes of all permitted pools are compared, not pool after pool
};

/// The settings of a run that are plain numbers: what differs between two runs of one engine
/// instance on one plan.
struct RunOptions {
    HeadRule head{HeadRule::block};
    UnfinishedRecovery unfinished_recovery{UnfinishedRecovery::anew};
    PlacementSetting placement{};
    bool stops_attempts{true}; ///< whether the pass may stop any, where it can
    VictimRule victims{VictimRule::none};
    bool reserves_for_head{};  ///< EASY: a blocked head holds a reservation, others may pass it
    PreemptionLimits limits{}; ///< where victims are chosen one by one
    std::int64_t quantum_ms{}; ///< rounds are its multiples; 0: at any event
    std::uint32_t backfill_depth{0xffffffffU}; ///< conservative: most reservations at once
};

/// For how much of what has no bound of its own an arena is laid out.
struct ArenaSize {
    std::uint32_t max_live{};        ///< attempts that hold GPUs at once
    std::uint32_t max_resumed{};     ///< stopped jobs that wait at once
    std::uint32_t max_provisional{}; ///< entries of ProvisionalWork

    /// Stopped jobs that wait or run again at once, of a plan's.
    [[nodiscard]] BURSAR_HD std::uint32_t max_carried(std::uint32_t num_jobs) const {
        const std::uint64_t all = std::uint64_t{max_resumed} + max_live;
        return all < num_jobs ? static_cast<std::uint32_t>(all) : num_jobs;
    }
    bool operator==(const ArenaSize&) const = default;
};

}} // namespace bursar::sim
