#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/units/host_device.hpp"

#include "sim/ledger/bucket_ledger.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/record/gang_places.hpp"
#include "sim/record/outcome.hpp"
#include "sim/record/place_clock.hpp"
#include "sim/record/queue_clock.hpp"
#include "sim/record/row_columns.hpp"
#include "sim/record/run_watcher.hpp"
#include "sim/record/wait_clock.hpp"
#include "sim/world/node_life.hpp"

namespace bursar { inline namespace sim {

/// Keeps one row per job: 19 bytes (20 with locality levels). A stopped attempt takes 48 bytes, and
/// the first one adds 8 per job.
class JobRecorder {
  public:
    JobRecorder() = default;
    /// finished_jobs: raised to the number of finished jobs after each instant, for a progress
    /// display from another thread; may be null. watch: which jobs may count as waiting for a
    /// place.
    explicit JobRecorder(const Plan& plan,
                         std::atomic<std::uint64_t>* finished_jobs = nullptr,
                         PlaceWatch watch = PlaceWatch::nothing);

    JobRecorder(JobRecorder&&) = default; // columns_ points into rows_, whose data stays in place
    JobRecorder& operator=(JobRecorder&&) = default;

    void started(JobId job, PoolId pool, std::uint32_t level, std::int64_t now_ms) {
        columns_.started(job, pool, level, now_ms);
        places_.started(job);
    }
    /// kept_ms, lost_ms: the attempt's time at work that is kept, and that must be done again.
    /// owed_ms: the part of its recovery that the next attempt does.
    void stopped(JobId job,
                 StopCause cause,
                 std::int64_t now_ms,
                 std::int64_t kept_ms,
                 std::int64_t lost_ms,
                 std::int64_t owed_ms);
    void finished(JobId job, std::int64_t now_ms) { columns_.finished(job, now_ms); }
    void dropped(JobId job, std::int64_t now_ms) {
        columns_.dropped(job, now_ms);
        places_.started(job);
    }
    /// A job is submitted, but does not wait for GPUs yet; it does from now on. The clock of places
    /// counts every submitted job, and need not know why it does not wait.
    void waits_for_others(JobId job) {
        rows_.eligible_ms[job] = JobRows::never_eligible;
        places_.started(job);
    }
    void eligible(JobId job, std::int64_t now_ms) {
        rows_.eligible_ms[job] = now_ms;
        places_.preempted(job);
    }
    /// The attempt that has begun last of a job is of that form. Called for all attempts of a run,
    /// or for none.
    void formed(JobId job, const PlanForm& form);
    void staged(const StagedAhead& ahead) { rows_.staged.push_back(ahead); }
    void reserved(JobId, std::int64_t) {}
    template <class State, class Queue, class Capacity>
    void settled(const State& state, const Queue& queue, const Capacity& capacity) {
        num_submitted_ = state.next_arrival;
        places_.settled(state, queue, capacity);
        // Fractions of GPUs are added up, then rounded down.
        const auto gpus = static_cast<std::uint64_t>(state.queue_slots / slots_per_gpu);
        clock_.note(
            state.now_ms, queue.num_jobs(), gpus, LengthsInVector{rows_.queue.ms_at_length});
        if (finished_jobs_ != nullptr) {
            finished_jobs_->store(state.num_finished, std::memory_order_relaxed);
        }
    }

    /// The rows of a run that ended at `end`; jobs not yet submitted are marked so.
    [[nodiscard]] JobRows take(Duration end);

  private:
    JobRows rows_;
    RowColumns columns_; ///< of rows_
    QueueClock clock_;
    PlaceClock places_;
    PlaceWatch watch_{PlaceWatch::nothing};
    std::vector<ShapeId> by_slots_;           ///< of places_
    std::vector<std::uint64_t> place_memory_; ///< likewise
    std::uint32_t num_submitted_{};
    std::atomic<std::uint64_t>* finished_jobs_{};
};

/// What a recorder keeps beside job rows, and what it notifies.
struct Recording {
    bool timeline{false};
    PlaceWatch watch{PlaceWatch::nothing};       ///< as for JobRecorder
    std::atomic<std::uint64_t>* finished_jobs{}; ///< likewise
    RunWatcher* watcher{};                       ///< receives every event; may be null
    std::optional<BucketWidth> buckets{};        ///< of the ledger by time; absent: not kept
};

/// The only recorder of the host; each part that is off costs one branch. Keeps nothing, or the job
/// rows and optionally a timeline. That has, per instant, a row for each pool whose allocation
/// changed, or one row for the first pool if only the queue changed. The queue is the same for all
/// pools. With the timeline it also keeps the nodes of each attempt, and why jobs waited.
class RunRecorder {
  public:
    RunRecorder() = default; ///< keeps nothing
    RunRecorder(const Plan& plan, const Recording& wanted);

    void started(JobId job, PoolId pool, std::uint32_t level, std::int64_t now_ms) {
        if (keeps_jobs_)
            note_start(job, pool, level, now_ms);
    }
    /// The nodes of an attempt that has begun.
    template <class Grant, class Capacity>
    void placed(JobId job, const Grant& grant, const Capacity& capacity) {
        if constexpr (!Capacity::counts_only) {
            if (keeps_timeline_) [[unlikely]]
                note_place(job, grant, capacity);
        }
    }
    void stopped(JobId job,
                 StopCause cause,
                 std::int64_t now_ms,
                 std::int64_t kept_ms,
                 std::int64_t lost_ms,
                 std::int64_t owed_ms) {
        if (keeps_jobs_)
            note_stop(job, cause, now_ms, kept_ms, lost_ms, owed_ms);
    }
    void finished(JobId job, std::int64_t now_ms) {
        if (keeps_jobs_)
            note_finish(job, now_ms);
    }
    void dropped(JobId job, std::int64_t now_ms) {
        if (keeps_jobs_)
            note_drop(job, now_ms);
    }
    void waits_for_others(JobId job, std::int64_t now_ms) {
        if (keeps_jobs_)
            note_dependent(job, now_ms);
    }
    void eligible(JobId job, std::int64_t now_ms) {
        if (keeps_jobs_)
            note_eligible(job, now_ms);
    }
    void formed(JobId job, const PlanForm& form) {
        if (keeps_jobs_)
            jobs_.formed(job, form);
    }
    /// A staging ahead of a start ends, as StagedAhead says.
    void staged(JobId job, std::int64_t staged_ms, std::int64_t kept_ms, bool is_used) {
        if (keeps_jobs_)
            jobs_.staged({static_cast<std::uint32_t>(job), is_used, staged_ms, kept_ms});
    }
    void reserved(JobId job, std::int64_t start_ms) {
        if (watcher_ != nullptr)
            watcher_->reserved(job, start_ms);
    }
    /// A node that has ended, or that is still there at the end of the run.
    void paid(PoolId pool, std::int64_t begin_ms, std::int64_t end_ms) {
        if (keeps_jobs_)
            paid_.push_back({static_cast<std::uint32_t>(pool), 1, begin_ms, end_ms});
    }
    template <class State, class Queue, class Capacity>
    void settled(const State& state, const Queue& queue, const Capacity& capacity) {
        if (keeps_jobs_)
            note_instant(state, queue, capacity);
    }

    /// Receives the bookings of the run's ledger; null: none.
    [[nodiscard]] BucketLedger* bucket_ledger() { return buckets_ ? &*buckets_ : nullptr; }

    [[nodiscard]] JobRows take_jobs(Duration end);
    /// Rows by time.
    [[nodiscard]] std::vector<TimelineRow> take_timeline() { return std::move(rows_); }
    /// The nodes of attempts, kept with the timeline; empty if capacity is counted.
    [[nodiscard]] GangPlaces take_places() { return std::move(places_); }
    /// The ledger by time; empty unless wanted.
    [[nodiscard]] DividedLedger take_buckets() {
        return buckets_ ? buckets_->take() : DividedLedger{};
    }
    /// Every node of a dynamic world, in the order in which they ended.
    [[nodiscard]] std::vector<PaidNodes> take_paid() { return std::move(paid_); }

  private:
    // Out of line, so that the loop of a run that keeps nothing stays small.
    void note_start(JobId job, PoolId pool, std::uint32_t level, std::int64_t now_ms);
    void note_stop(JobId job,
                   StopCause cause,
                   std::int64_t now_ms,
                   std::int64_t kept_ms,
                   std::int64_t lost_ms,
                   std::int64_t owed_ms);
    void note_finish(JobId job, std::int64_t now_ms);
    void note_drop(JobId job, std::int64_t now_ms);
    void note_dependent(JobId job, std::int64_t now_ms);
    void note_eligible(JobId job, std::int64_t now_ms);
    template <class Grant, class Capacity>
    [[gnu::noinline]] void note_place(JobId job, const Grant& grant, const Capacity& capacity) {
        capacity.for_each_piece(grant, [&](std::uint32_t node, std::uint32_t gpus) {
            places_.node.push_back(node);
            places_.gpus.push_back(static_cast<std::uint16_t>(gpus));
        });
        places_.job.push_back(static_cast<std::uint32_t>(job));
        places_.end.push_back(static_cast<std::uint32_t>(places_.node.size()));
    }
    template <class State, class Queue, class Capacity>
    [[gnu::noinline]] void
    note_instant(const State& state, const Queue& queue, const Capacity& capacity) {
        jobs_.settled(state, queue, capacity);
        if (!looks_at_pools_)
            return;
        for (PoolId pool{0}; pool < num_slots_.size(); ++pool)
            free_[pool] = capacity.free_slots(pool);
        if (waits_)
            note_waits(state, capacity);
        for (PoolId pool{0}; moves_ && pool < num_slots_.size(); ++pool) {
            const NodePhase off = NodePhase::off;
            off_[pool] = state.fleet[pool].num(off) * node_slots_[pool];
            down_[pool] = capacity.offline_slots(pool) - off_[pool];
        }
        note_pools(state.now_ms, queue.num_jobs(), state.queue_slots);
    }
    template <class State, class Capacity>
    void note_waits(const State& state, const Capacity& capacity) {
        for (PoolId pool{0}; moves_ && pool < num_slots_.size(); ++pool)
            down_[pool] = capacity.offline_slots(pool); // until note_instant knows more
        waits_->settled(state, capacity, free_, down_);
    }
    void note_pools(std::int64_t now_ms, std::uint32_t queue_jobs, std::int64_t queue_slots);
    void put_rows(std::int64_t now_ms, std::uint32_t queue_jobs, std::int64_t queue_slots);
    void put_row(std::int64_t now_ms, PoolId pool);
    [[nodiscard]] std::int64_t allocated(PoolId pool) const {
        return num_slots_[pool] - free_[pool] - down_[pool] - off_[pool];
    }

    bool keeps_jobs_{};
    bool keeps_timeline_{};
    bool looks_at_pools_{};
    bool moves_{}; ///< as Plan::moves
    RunWatcher* watcher_{};
    JobRecorder jobs_;
    std::optional<BucketLedger> buckets_;
    std::optional<WaitClock> waits_;                 ///< with the timeline
    std::vector<std::int64_t> num_slots_;            ///< per pool
    std::vector<std::int64_t> node_slots_;           ///< of one node, per pool
    std::vector<std::int64_t> free_;                 ///< slots per pool, now
    std::vector<std::int64_t> down_;                 ///< paid for, and can run nothing
    std::vector<std::int64_t> off_;                  ///< of nodes that are not there
    std::vector<std::optional<std::size_t>> latest_; ///< per pool: its last row in rows_
    std::uint32_t queue_jobs_{};                     ///< as the last row has it
    std::int64_t queue_slots_{};
    std::vector<TimelineRow> rows_;
    GangPlaces places_;
    std::vector<PaidNodes> paid_;
};

}} // namespace bursar::sim
