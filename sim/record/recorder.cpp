#include "sim/record/recorder.hpp"

#include <algorithm>

#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

JobRecorder::JobRecorder(const Plan& plan,
                         std::atomic<std::uint64_t>* finished_jobs,
                         PlaceWatch watch)
    : clock_{plan.measure_from.count(), plan.measure_to ? plan.measure_to->count() : horizon_ms},
      watch_{watch}, finished_jobs_{finished_jobs} {
    const std::size_t num_jobs = plan.num_jobs();
    rows_.phase.assign(num_jobs, JobPhase::queued);
    rows_.pool.assign(num_jobs, 0);
    if (plan.num_paces() > 1)
        rows_.level.assign(num_jobs, 0);
    rows_.start_ms.assign(num_jobs, 0);
    rows_.finish_ms.assign(num_jobs, 0);
    if (plan.has_dependencies())
        rows_.eligible_ms = plan.submit_ms;
    columns_ = {rows_.phase.data(),
                rows_.pool.data(),
                rows_.level.empty() ? nullptr : rows_.level.data(),
                rows_.start_ms.data(),
                rows_.finish_ms.data()};
    if (watch == PlaceWatch::all)
        by_slots_ = shapes_by_slots(plan);
    const auto clock_in = [&](ArenaCarver carver) {
        places_ = PlaceClock{carver, view_of(plan), watch, by_slots_.data()};
        return carver.used();
    };
    place_memory_.resize(clock_in(ArenaCarver{nullptr}) / sizeof(std::uint64_t) + 1);
    clock_in(ArenaCarver{reinterpret_cast<std::byte*>(place_memory_.data())});
    places_.clear();
}

void JobRecorder::stopped(JobId job,
                          StopCause cause,
                          std::int64_t now_ms,
                          std::int64_t kept_ms,
                          std::int64_t lost_ms,
                          std::int64_t owed_ms) {
    if (rows_.last_start_ms.empty()) {
        rows_.last_start_ms.assign(rows_.phase.size(), -1);
        columns_.last_start_ms = rows_.last_start_ms.data();
    }
    places_.preempted(job);
    rows_.stopped.push_back(columns_.stopped(job, cause, now_ms, kept_ms, lost_ms, owed_ms));
    if (!rows_.form.empty())
        rows_.stopped_form.push_back(rows_.form[job]);
}

void JobRecorder::formed(JobId job, const PlanForm& form) {
    if (rows_.form.empty())
        rows_.form.assign(rows_.phase.size(), {});
    rows_.form[job] = form;
}

JobRows JobRecorder::take(Duration end) {
    std::fill(rows_.phase.begin() + num_submitted_, rows_.phase.end(), JobPhase::not_submitted);
    for (std::size_t job = 0; job < rows_.eligible_ms.size(); ++job) {
        if (rows_.phase[job] == JobPhase::queued &&
            rows_.eligible_ms[job] == JobRows::never_eligible)
            rows_.phase[job] = JobPhase::dependent;
    }
    clock_.close(end.count(), LengthsInVector{rows_.queue.ms_at_length});
    rows_.queue.gpu_ms = clock_.gpu_ms();
    rows_.queue.max_gpus = clock_.max_gpus();
    if (watch_ != PlaceWatch::nothing)
        rows_.place_wait = places_.take(end.count());
    return std::move(rows_);
}

RunRecorder::RunRecorder(const Plan& plan, const Recording& wanted)
    : keeps_jobs_{true}, keeps_timeline_{wanted.timeline},
      looks_at_pools_{wanted.timeline || wanted.watcher != nullptr}, moves_{plan.moves()},
      watcher_{wanted.watcher}, jobs_{plan, wanted.finished_jobs, wanted.watch},
      free_(plan.pools.size()), down_(plan.pools.size()), off_(plan.pools.size()),
      latest_(plan.pools.size()) {
    for (const PlanPool& pool : plan.pools) {
        num_slots_.push_back(pool.num_gpus() * slots_per_gpu);
        node_slots_.push_back(std::int64_t{pool.gpus_per_node} * slots_per_gpu);
    }
    if (wanted.timeline)
        waits_.emplace(plan);
    if (wanted.buckets)
        buckets_.emplace(*wanted.buckets);
}

JobRows RunRecorder::take_jobs(Duration end) {
    JobRows rows = jobs_.take(end);
    if (waits_)
        rows.waits = waits_->take(rows.phase, end.count());
    return rows;
}

void RunRecorder::note_start(JobId job, PoolId pool, std::uint32_t level, std::int64_t now_ms) {
    jobs_.started(job, pool, level, now_ms);
    if (waits_)
        waits_->started(job, now_ms);
    if (watcher_ != nullptr)
        watcher_->started(job, pool, level, now_ms);
}

void RunRecorder::note_stop(JobId job,
                            StopCause cause,
                            std::int64_t now_ms,
                            std::int64_t kept_ms,
                            std::int64_t lost_ms,
                            std::int64_t owed_ms) {
    jobs_.stopped(job, cause, now_ms, kept_ms, lost_ms, owed_ms);
    if (waits_)
        waits_->stopped(job, now_ms);
    if (watcher_ != nullptr)
        watcher_->stopped(job, cause, now_ms);
}

void RunRecorder::note_finish(JobId job, std::int64_t now_ms) {
    jobs_.finished(job, now_ms);
    if (watcher_ != nullptr)
        watcher_->finished(job, now_ms);
}

void RunRecorder::note_drop(JobId job, std::int64_t now_ms) {
    jobs_.dropped(job, now_ms);
    if (waits_)
        waits_->started(job, now_ms);
    if (watcher_ != nullptr)
        watcher_->dropped(job, now_ms);
}

void RunRecorder::note_dependent(JobId job, std::int64_t now_ms) {
    jobs_.waits_for_others(job);
    if (waits_)
        waits_->started(job, now_ms);
}

void RunRecorder::note_eligible(JobId job, std::int64_t now_ms) {
    jobs_.eligible(job, now_ms);
    if (waits_)
        waits_->stopped(job, now_ms);
    if (watcher_ != nullptr)
        watcher_->eligible(job, now_ms);
}

void RunRecorder::note_pools(std::int64_t now_ms,
                             std::uint32_t queue_jobs,
                             std::int64_t queue_slots) {
    if (watcher_ != nullptr)
        watcher_->settled(now_ms, free_, queue_jobs);
    if (keeps_timeline_)
        put_rows(now_ms, queue_jobs, queue_slots);
}

void RunRecorder::put_rows(std::int64_t now_ms,
                           std::uint32_t queue_jobs,
                           std::int64_t queue_slots) {
    bool is_noted = false;
    for (PoolId pool{0}; pool < free_.size(); ++pool) {
        if (latest_[pool] && rows_[*latest_[pool]].allocated_slots == allocated(pool) &&
            rows_[*latest_[pool]].down_slots == down_[pool] &&
            rows_[*latest_[pool]].off_slots == off_[pool])
            continue;
        put_row(now_ms, pool);
        is_noted = true;
    }
    if (!is_noted && (queue_jobs != queue_jobs_ || queue_slots != queue_slots_))
        put_row(now_ms, PoolId{0});
    queue_jobs_ = queue_jobs;
    queue_slots_ = queue_slots;
    // Several rounds at one instant: the last one's queue is kept.
    for (std::size_t row = rows_.size(); row-- > 0 && rows_[row].time_ms == now_ms;) {
        rows_[row].queue_jobs = queue_jobs;
        rows_[row].queue_slots = queue_slots;
    }
}

void RunRecorder::put_row(std::int64_t now_ms, PoolId pool) {
    std::optional<std::size_t>& latest = latest_[pool];
    if (!latest || rows_[*latest].time_ms != now_ms) {
        latest = rows_.size();
        rows_.push_back({now_ms, pool, 0, 0, 0});
    }
    rows_[*latest].allocated_slots = allocated(pool);
    rows_[*latest].down_slots = down_[pool];
    rows_[*latest].off_slots = off_[pool];
}

}} // namespace bursar::sim
