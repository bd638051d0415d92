#include "sim/record/recorder.hpp"

#include <algorithm>

namespace bursar {

JobRecorder::JobRecorder(std::size_t num_jobs, std::atomic<std::uint64_t>* finished_jobs)
    : finished_jobs_{finished_jobs} {
    rows_.phase.assign(num_jobs, JobPhase::queued);
    rows_.pool.assign(num_jobs, 0);
    rows_.start_ms.assign(num_jobs, 0);
    rows_.finish_ms.assign(num_jobs, 0);
}

JobRows JobRecorder::take() {
    std::fill(rows_.phase.begin() + num_submitted_, rows_.phase.end(), JobPhase::not_submitted);
    return std::move(rows_);
}

TimelineRecorder::TimelineRecorder(const Plan& plan, std::atomic<std::uint64_t>* finished_jobs)
    : jobs_{plan.num_jobs(), finished_jobs}, allocated_(plan.pools.size()),
      latest_(plan.pools.size()) {
    for (const PlanPool& pool : plan.pools)
        num_gpus_.push_back(pool.num_gpus());
}

void TimelineRecorder::note(std::int64_t now_ms,
                            std::uint32_t queue_jobs,
                            std::uint64_t queue_gpus) {
    bool is_noted = false;
    for (std::uint32_t pool = 0; pool < allocated_.size(); ++pool) {
        if (latest_[pool] && rows_[*latest_[pool]].allocated_gpus == allocated_[pool])
            continue;
        put_row(now_ms, pool);
        is_noted = true;
    }
    if (!is_noted && (queue_jobs != queue_jobs_ || queue_gpus != queue_gpus_))
        put_row(now_ms, 0);
    queue_jobs_ = queue_jobs;
    queue_gpus_ = queue_gpus;
    // Rounds of one instant leave what held when time moved on.
    for (std::size_t row = rows_.size(); row-- > 0 && rows_[row].time_ms == now_ms;) {
        rows_[row].queue_jobs = queue_jobs;
        rows_[row].queue_gpus = queue_gpus;
    }
}

void TimelineRecorder::put_row(std::int64_t now_ms, std::uint32_t pool) {
    std::optional<std::size_t>& latest = latest_[pool];
    if (!latest || rows_[*latest].time_ms != now_ms) {
        latest = rows_.size();
        rows_.push_back({now_ms, pool, 0, 0, 0});
    }
    rows_[*latest].allocated_gpus = allocated_[pool];
}

} // namespace bursar
