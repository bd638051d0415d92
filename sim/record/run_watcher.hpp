#pragma once

#include <cstdint>
#include <span>

#include "sim/plan/ids.hpp"
#include "sim/plan/stop_cause.hpp"

namespace bursar { inline namespace sim {

/// Watches a recorded run, on the host: a test that checks it, or a tool that prints
/// it. Costs a call for each thing told.
class RunWatcher {
  public:
    virtual ~RunWatcher() = default;

    /// A run begins, or begins anew with more room: forget what was told.
    virtual void begun() = 0;
    virtual void started(JobId job, PoolId pool, std::uint32_t level, std::int64_t now_ms) = 0;
    virtual void stopped(JobId job, StopCause cause, std::int64_t now_ms) = 0;
    virtual void finished(JobId job, std::int64_t now_ms) = 0;
    /// Backfill promised a start to a pending job.
    virtual void reserved(JobId job, std::int64_t start_ms) = 0;
    /// What the passes of an instant left behind; told again where a job of no length ended since.
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
