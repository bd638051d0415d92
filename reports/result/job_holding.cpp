#include "reports/result/job_holding.hpp"

namespace bursar { inline namespace reports {

namespace {

/// How a job ended; of one that has not, completed.
JobEnd end_of(JobState state) {
    switch (state) {
    case JobState::failed:
        return JobEnd::failed;
    case JobState::cancelled:
        return JobEnd::cancelled;
    case JobState::stopped:
        return JobEnd::stopped;
    case JobState::node_failed:
        return JobEnd::node_failed;
    case JobState::rejected:
    case JobState::dropped: // as it cannot meet its deadline, either
        return JobEnd::rejected;
    default:
        return JobEnd::completed;
    }
}

/// When the last attempt of a job held its GPUs; empty if the job waits for GPUs.
struct Holding {
    Duration begin, end;
};

Holding last_holding(const Result& result, std::size_t job) {
    const JobColumns& jobs = result.jobs;
    const JobState state = jobs.state[job];
    if (!has_started(state) || state == JobState::preempted)
        return {};
    return {Duration{jobs.last_start(job)},
            has_finished(state) ? Duration{jobs.finish_ms[job]} : result.end};
}

} // namespace

std::vector<StoppedSum> stopped_sums(const Result& result) {
    const StoppedColumns& stopped = result.stopped;
    std::vector<StoppedSum> out(stopped.size() == 0 ? 0 : result.jobs.size());
    for (std::size_t i = 0; i < stopped.size(); ++i) {
        StoppedSum& sum = out[stopped.job[i]];
        const Duration held{stopped.stop_ms[i] - stopped.start_ms[i]};
        const std::int64_t slots = slots_of_stopped(result.jobs, stopped, i);
        sum.stops += stopped.cause_of(i) == StopCause::shared ? 0 : 1;
        sum.preemptions += stopped.cause_of(i) == StopCause::preempted ? 1 : 0;
        sum.failures += is_abrupt(stopped.cause_of(i)) ? 1 : 0;
        sum.held += held;
        sum.held_slots += slot_time(slots, held);
        sum.kept += slot_time(slots, Duration{stopped.kept_ms[i]});
        sum.lost += slot_time(slots, Duration{stopped.lost_ms[i]});
        sum.stalled += slot_time(stopped.stalled(i), Duration{stopped.kept_ms[i]});
        sum.cost += result.pools[stopped.pool[i]].price.cost(
            slots, Duration{stopped.start_ms[i]}, Duration{stopped.stop_ms[i]});
        if (const auto& energy = result.pools[stopped.pool[i]].energy)
            sum.energy += energy->busy * slot_time(slots, held);
    }
    return out;
}

Duration last_held(const Result& result, std::size_t job) {
    const Holding last = last_holding(result, job);
    return last.end - last.begin;
}

std::optional<WaitTimes>
waits_of(const Result& result, std::size_t job, const StoppedSum& stopped) {
    const JobColumns& jobs = result.jobs;
    const JobState state = jobs.state[job];
    if (jobs.wait_turn_ms.empty() || state == JobState::not_submitted || is_never_eligible(state))
        return std::nullopt;
    const auto value = [&](const std::vector<std::int64_t>& column) {
        return column.empty() ? 0 : column[job];
    };
    const bool has_left = has_finished(state) || state == JobState::dropped;
    const std::int64_t until = has_left ? jobs.finish_ms[job] : result.end.count();
    const Duration held = stopped.held + last_held(result, job);
    WaitTimes out{value(jobs.wait_turn_ms), value(jobs.wait_place_ms), value(jobs.wait_nodes_ms)};
    out.back() = until - jobs.eligible(job) - held.count() - out[0] - out[1] - out[2];
    return out;
}

SlotTime held_by(const Result& result, std::size_t job, const StoppedSum& stopped) {
    return stopped.held_slots + slot_time(result.jobs.last_slots(job), last_held(result, job));
}

Money cost_of(const Result& result, std::size_t job, const StoppedSum& stopped) {
    if (!has_started(result.jobs.state[job]))
        return stopped.cost;
    const Holding last = last_holding(result, job);
    const PoolPrice& price = result.pools[result.jobs.pool[job]].price;
    return stopped.cost + price.cost(result.jobs.last_slots(job), last.begin, last.end);
}

DrawnEnergy energy_of(const Result& result, std::size_t job, const StoppedSum& stopped) {
    const auto& energy = result.pools[result.jobs.pool[job]].energy;
    if (!has_started(result.jobs.state[job]) || !energy)
        return stopped.energy;
    const SlotTime held = slot_time(result.jobs.last_slots(job), last_held(result, job));
    return stopped.energy + energy->busy * held;
}

DeadlineState deadline_of(const Result& result, std::size_t job) {
    const JobColumns& jobs = result.jobs;
    const JobState state = jobs.state[job];
    return deadline_state(jobs.deadline_ms[job],
                          end_of(state),
                          has_finished(state) ? std::optional{jobs.finish_ms[job]} : std::nullopt,
                          result.end.count());
}

}} // namespace bursar::reports
