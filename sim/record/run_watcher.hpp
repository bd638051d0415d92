#pragma once

#include <cstdint>
#include <span>

#include "sim/plan/ids.hpp"
#include "sim/plan/stop_cause.hpp"

namespace bursar { inline namespace sim {

/// Receives the events of a recorded run, on the host: for tests that check it and tools that print
/// it. Costs a call per event.
class RunWatcher {
  public:
    virtual ~RunWatcher() = default;

    /// A run begins, or begins again with a larger arena: drop all earlier events.
    virtual void begun() = 0;
    virtual void started(JobId job, PoolId pool, std::uint32_t level, std::int64_t now_ms) = 0;
    virtual void stopped(JobId job, StopCause cause, std::int64_t now_ms) = 0;
    virtual void finished(JobId job, std::int64_t now_ms) = 0;
    /// A job that waited for others waits for GPUs.
    virtual void eligible(JobId, std::int64_t /*now_ms*/) {}
    /// A waiting job left the queue for good.
    virtual void dropped(JobId, std::int64_t /*now_ms*/) {}
    /// Backfill reserved a start for a pending job.
    virtual void reserved(JobId job, std::int64_t start_ms) = 0;
    /// State after the passes of an instant; called again if a job of zero length has ended since.
    /// free_slots: by pool.
    virtual void settled(std::int64_t now_ms,
                         std::span<const std::int64_t> free_slots,
                         std::uint32_t num_pending) = 0;

  protected:
    RunWatcher() = default;
    RunWatcher(const RunWatcher&) = default;
    RunWatcher& operator=(const RunWatcher&) = default;
};

}} // namespace bursar::sim
