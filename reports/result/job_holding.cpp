#include "reports/result/job_holding.hpp"

namespace bursar::inline reports {

Duration last_held(const Result& result, std::size_t job) {
    const JobColumns& jobs = result.jobs;
    const JobState state = jobs.state[job];
    if (!has_started(state) || state == JobState::preempted)
        return {};
    const std::int64_t until = has_finished(state) ? jobs.finish_ms[job] : result.end.count();
    return Duration{until - jobs.last_start(job)};
}

SlotTime held_by(const Result& result, std::size_t job, const StoppedSum& stopped) {
    return slot_time(result.jobs.slots(job), stopped.held + last_held(result, job));
}

Money cost_of(const Result& result, std::size_t job, const StoppedSum& stopped) {
    if (!has_started(result.jobs.state[job]))
        return stopped.cost;
    const MoneyRate rate = result.pools[result.jobs.pool[job]].rate;
    return stopped.cost + rate * slot_time(result.jobs.slots(job), last_held(result, job));
}

} // namespace bursar::inline reports
