#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/units/host_device.hpp"

#include "sim/plan/plan_view.hpp"
#include "sim/record/outcome.hpp"

namespace bursar {

/// Records nothing: the batch path, and whoever wants only the ledger.
struct NullRecorder {
    BURSAR_HD void started(std::uint32_t, std::uint32_t, std::int64_t) {}
    BURSAR_HD void finished(std::uint32_t, std::int64_t) {}
    template <class State, class Queue, class Capacity>
    BURSAR_HD void settled(const State&, const Queue&, const Capacity&) {}
};

/// Keeps one row per job. 19 bytes per job.
class JobRecorder {
  public:
    /// finished_jobs: raised to the number of finished jobs after each instant, for whoever watches
    /// from another thread; may be null.
    explicit JobRecorder(std::size_t num_jobs, std::atomic<std::uint64_t>* finished_jobs = nullptr);

    void started(std::uint32_t job, std::uint32_t pool, std::int64_t now_ms) {
        rows_.phase[job] = JobPhase::running;
        rows_.pool[job] = static_cast<std::uint16_t>(pool);
        rows_.start_ms[job] = now_ms;
    }
    void finished(std::uint32_t job, std::int64_t now_ms) {
        rows_.phase[job] = JobPhase::finished;
        rows_.finish_ms[job] = now_ms;
    }
    template <class State, class Queue, class Capacity>
    void settled(const State& state, const Queue&, const Capacity&) {
        num_submitted_ = state.next_arrival;
        if (finished_jobs_ != nullptr) {
            finished_jobs_->store(state.num_finished, std::memory_order_relaxed);
        }
    }

    /// The rows; jobs that the run did not reach are marked so.
    [[nodiscard]] JobRows take();

  private:
    JobRows rows_;
    std::uint32_t num_submitted_{};
    std::atomic<std::uint64_t>* finished_jobs_;
};

/// Keeps the job rows and a timeline: per instant a row for each pool whose allocation changed,
/// and, where only the queue did, one row for the first pool. The queue is the same for all pools.
class TimelineRecorder {
  public:
    /// finished_jobs: as for JobRecorder.
    explicit TimelineRecorder(const Plan& plan,
                              std::atomic<std::uint64_t>* finished_jobs = nullptr);

    void started(std::uint32_t job, std::uint32_t pool, std::int64_t now_ms) {
        jobs_.started(job, pool, now_ms);
    }
    void finished(std::uint32_t job, std::int64_t now_ms) { jobs_.finished(job, now_ms); }

    template <class State, class Queue, class Capacity>
    void settled(const State& state, const Queue& queue, const Capacity& capacity) {
        jobs_.settled(state, queue, capacity);
        for (std::uint32_t pool = 0; pool < num_gpus_.size(); ++pool) {
            allocated_[pool] =
                static_cast<std::uint32_t>(num_gpus_[pool] - capacity.free_gpus(pool));
        }
        note(state.now_ms, queue.num_jobs(), state.queue_gpus);
    }

    [[nodiscard]] JobRows take_jobs() { return jobs_.take(); }
    /// Rows by time.
    [[nodiscard]] std::vector<TimelineRow> take_timeline() { return std::move(rows_); }

  private:
    void note(std::int64_t now_ms, std::uint32_t queue_jobs, std::uint64_t queue_gpus);
    void put_row(std::int64_t now_ms, std::uint32_t pool);

    JobRecorder jobs_;
    std::vector<std::int64_t> num_gpus_;             ///< per pool
    std::vector<std::uint32_t> allocated_;           ///< per pool, now
    std::vector<std::optional<std::size_t>> latest_; ///< per pool: its last row in rows_
    std::uint32_t queue_jobs_{};                     ///< as the last row has it
    std::uint64_t queue_gpus_{};
    std::vector<TimelineRow> rows_;
};

} // namespace bursar
