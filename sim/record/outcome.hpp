#pragma once

#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

#include "sim/ledger/leaf.hpp"

namespace bursar {

/// Why a run stopped, when not because it was done.
enum class RunStatus : std::uint8_t {
    ok,
    arena_full, ///< more running attempts than the arena held: the driver reruns with a larger one
    horizon_exceeded, ///< an event past 2^40 ms (34.8 years)
};

/// The answer of one run: exact integers only.
struct Outcome {
    RunStatus status{RunStatus::ok};
    Duration end{};          ///< `until`, or the last finish
    Duration window_begin{}; ///< the ledger covers [window_begin, window_end)
    Duration window_end{};

    /// Slot-milliseconds by pool, tenant and leaf. Tenant index `num_tenants` holds what belongs to
    /// no tenant (unavailable and idle time).
    std::uint32_t num_pools{};
    std::uint32_t num_tenants{};
    std::vector<SlotTime> cells; ///< [(pool * (num_tenants + 1) + tenant) * num_leaves + leaf]

    std::uint64_t events{}; ///< arrivals and heap events processed
    std::uint64_t num_started{};
    std::uint64_t num_finished{};
    std::uint64_t num_running_at_end{};
    std::uint64_t num_queued_at_end{};
    std::uint64_t fingerprint{}; ///< equal runs have equal fingerprints

    [[nodiscard]] SlotTime cell(std::size_t pool, std::size_t tenant, Leaf leaf) const {
        return cells[(pool * (num_tenants + 1) + tenant) * num_leaves +
                     static_cast<std::size_t>(leaf)];
    }
};

/// How far a job got by the end of the run.
enum class JobPhase : std::uint8_t { queued, running, finished, not_submitted };

/// One row per job, in plan order (structure of arrays).
struct JobRows {
    std::vector<JobPhase> phase;
    std::vector<std::uint16_t> pool;     ///< valid once started
    std::vector<std::int64_t> start_ms;  ///< first start; valid once started
    std::vector<std::int64_t> finish_ms; ///< when its GPUs were released; valid once finished
};

/// The state of one pool, and of the queue, after an instant at which one of them changed.
struct TimelineRow {
    std::int64_t time_ms{};
    std::uint32_t pool{};
    std::uint32_t allocated_gpus{};
    std::uint32_t queue_jobs{}; ///< over all pools
    std::uint64_t queue_gpus{}; ///< over all pools
};

} // namespace bursar
