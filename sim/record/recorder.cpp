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
    : jobs_{plan.num_jobs(), finished_jobs}, latest_(plan.pools.size()) {
    for (const PlanPool& pool : plan.pools)
        num_gpus_.push_back(pool.num_gpus());
}

void TimelineRecorder::note(const TimelineRow& row) {
    std::optional<std::size_t>& latest = latest_[row.pool];
    if (latest) {
        TimelineRow& seen = rows_[*latest];
        if (seen.time_ms ==
            row.time_ms) { // another round of one instant: what it left is what held
            seen = row;
            return;
        }
        if (seen.allocated_gpus == row.allocated_gpus && seen.queue_jobs == row.queue_jobs &&
            seen.queue_gpus == row.queue_gpus) {
            return;
        }
    }
    latest = rows_.size();
    rows_.push_back(row);
}

} // namespace bursar
