#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/arena/arena.hpp"
#include "sim/ledger/bucket_ledger.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/record/outcome.hpp"
#include "sim/record/place_clock.hpp"
#include "sim/record/queue_clock.hpp"
#include "sim/record/row_columns.hpp"

namespace bursar { inline namespace sim {

/// Capacity for the rows of a run on a device.
struct RowsRoom {
    bool is_kept{};          ///< else there are no rows
    std::uint32_t stopped{}; ///< attempts
    std::uint32_t paid{};    ///< nodes
};

/// Counts and totals beside the rows. They include rows that there was no room for.
struct RowTotals {
    std::uint64_t num_stopped{};
    std::uint64_t num_paid{};
    std::uint32_t num_submitted{}; ///< jobs
    int128 queue_gpu_ms{};
    std::uint64_t max_queue_gpus{};
    PlaceWait place_wait{};
};

/// The rows of a run on a device; same layout on host and device. 36 bytes per job, 48 per attempt
/// and 32 per node of `room`.
struct RowsImage {
    RowColumns columns{};
    std::int64_t* ms_at_length{}; ///< of the queue, up to all jobs
    StoppedAttempt* stopped{};
    PaidNodes* paid{};
    RowTotals* totals{}; ///< null: nothing is kept
    RowsRoom room{};

    RowsImage() = default;
    BURSAR_HD RowsImage(ArenaCarver& carver, const PlanView& plan, RowsRoom wanted) : room{wanted} {
        if (!wanted.is_kept)
            return;
        totals = carver.take<RowTotals>(1);
        columns.phase = carver.take<JobPhase>(plan.num_jobs);
        columns.pool = carver.take<std::uint16_t>(plan.num_jobs);
        columns.level = plan.num_paces > 1 ? carver.take<std::uint8_t>(plan.num_jobs) : nullptr;
        columns.start_ms = carver.take<std::int64_t>(plan.num_jobs);
        columns.finish_ms = carver.take<std::int64_t>(plan.num_jobs);
        columns.last_start_ms = carver.take<std::int64_t>(plan.num_jobs);
        ms_at_length = carver.take<std::int64_t>(plan.num_jobs + std::size_t{1});
        stopped = carver.take<StoppedAttempt>(wanted.stopped);
        paid = carver.take<PaidNodes>(wanted.paid);
    }

    /// Whether there was room for all rows.
    [[nodiscard]] bool is_whole() const {
        return totals == nullptr ||
               (totals->num_stopped <= room.stopped && totals->num_paid <= room.paid);
    }
    /// The same as JobRecorder::take() of a run with `num_jobs` jobs.
    [[nodiscard]] JobRows job_rows(std::size_t num_jobs, PlaceWatch watch) const;
    /// The same as RunRecorder::take_paid().
    [[nodiscard]] std::vector<PaidNodes> paid_nodes() const;
};

/// The recorder of a device: writes the job rows that RunRecorder keeps, or nothing. One lane calls
/// it; all lanes call clear().
class ImageRecorder {
  public:
    /// Takes memory from `carver`. by_slots: as for PlaceClock. watch: nothing if no rows are kept.
    BURSAR_HD ImageRecorder(ArenaCarver& carver,
                            const PlanView& plan,
                            const RowsImage& rows,
                            PlaceWatch watch,
                            const ShapeId* by_slots)
        : rows_{rows},
          queue_{plan.window_begin_ms, plan.has_window_end ? plan.window_end_ms : horizon_ms},
          places_{carver, plan, watch, by_slots} {}

    /// Call before the run, by all lanes.
    template <class Team>
    BURSAR_HD void clear(const Team& team, const PlanView& plan) {
        if (rows_.totals == nullptr)
            return;
        team.once([&] {
            *rows_.totals = {};
            rows_.ms_at_length[plan.num_jobs] = 0;
            places_.clear();
        });
        team.for_each(plan.num_jobs, [&](std::uint32_t job) {
            rows_.columns.phase[job] = JobPhase::queued;
            rows_.columns.pool[job] = 0;
            if (rows_.columns.level != nullptr)
                rows_.columns.level[job] = 0;
            rows_.columns.start_ms[job] = 0;
            rows_.columns.finish_ms[job] = 0;
            rows_.columns.last_start_ms[job] = -1;
            rows_.ms_at_length[job] = 0;
        });
    }

    BURSAR_HD static void formed(JobId, const PlanForm&) {} // batches have no allocators
    BURSAR_HD static void staged(JobId, std::int64_t, std::int64_t, bool) {
    } // devices run no such plans
    BURSAR_HD void started(JobId job, PoolId pool, std::uint32_t level, std::int64_t now_ms) {
        if (rows_.totals == nullptr)
            return;
        rows_.columns.started(job, pool, level, now_ms);
        places_.started(job);
    }
    template <class Grant, class Capacity>
    BURSAR_HD void placed(JobId, const Grant&, const Capacity&) {}
    BURSAR_HD void stopped(JobId job,
                           StopCause cause,
                           std::int64_t now_ms,
                           std::int64_t kept_ms,
                           std::int64_t lost_ms,
                           std::int64_t owed_ms) {
        if (rows_.totals == nullptr)
            return;
        places_.preempted(job);
        const StoppedAttempt attempt =
            rows_.columns.stopped(job, cause, now_ms, kept_ms, lost_ms, owed_ms);
        const std::uint64_t number = rows_.totals->num_stopped++;
        if (number < rows_.room.stopped)
            rows_.stopped[number] = attempt;
    }
    BURSAR_HD void finished(JobId job, std::int64_t now_ms) {
        if (rows_.totals != nullptr)
            rows_.columns.finished(job, now_ms);
    }
    BURSAR_HD void waits_for_others(JobId, std::int64_t) {} // devices run no such plans
    BURSAR_HD void dropped(JobId, std::int64_t) {}          // likewise
    BURSAR_HD void eligible(JobId, std::int64_t) {}
    BURSAR_HD void reserved(JobId, std::int64_t) {}
    BURSAR_HD void paid(PoolId pool, std::int64_t begin_ms, std::int64_t end_ms) {
        if (rows_.totals == nullptr)
            return;
        const std::uint64_t number = rows_.totals->num_paid++;
        if (number < rows_.room.paid)
            rows_.paid[number] = {static_cast<std::uint32_t>(pool), 1, begin_ms, end_ms};
    }
    template <class State, class Queue, class Capacity>
    BURSAR_HD void settled(const State& state, const Queue& queue, const Capacity& capacity) {
        if (rows_.totals == nullptr)
            return;
        rows_.totals->num_submitted = state.next_arrival;
        places_.settled(state, queue, capacity);
        queue_.note(state.now_ms,
                    queue.num_jobs(),
                    static_cast<std::uint64_t>(state.queue_slots / slots_per_gpu),
                    LengthsInPlace{rows_.ms_at_length});
    }
    /// The run is over.
    BURSAR_HD void close(std::int64_t end_ms) {
        if (rows_.totals == nullptr)
            return;
        queue_.close(end_ms, LengthsInPlace{rows_.ms_at_length});
        rows_.totals->queue_gpu_ms = queue_.gpu_ms();
        rows_.totals->max_queue_gpus = queue_.max_gpus();
        rows_.totals->place_wait = places_.take(end_ms);
    }

    [[nodiscard]] BURSAR_HD BucketLedger* bucket_ledger() const { return nullptr; }

  private:
    RowsImage rows_;
    QueueClock queue_;
    PlaceClock places_;
};

}} // namespace bursar::sim
