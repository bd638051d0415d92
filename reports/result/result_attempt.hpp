#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// One start of a job, or a part of it: a job that begins to share its GPUs, or no longer shares
/// them, has a new part.
struct ResultAttempt {
    std::size_t index{}; ///< among all attempts, by job and then by time
    std::size_t job{};
    std::size_t number{1}; ///< of its job's attempts, from 1; the same for all parts of one
    std::uint16_t pool{};
    std::uint8_t level{};
    Duration lead{}; ///< before its work, as planned: start-up, recovery or rescale
    std::uint32_t gpus{};
    std::int64_t slots{}; ///< of its gang
    Duration start{};
    Duration end{};                       ///< that of the run, if it still runs
    std::optional<std::size_t> stopped{}; ///< index among the stopped attempts; absent: the last
};

/// The cause that stopped an attempt; for the last attempt, the state of its job at the end.
[[nodiscard]] inline std::string_view end_cause(const Result& result,
                                                const ResultAttempt& attempt) {
    return attempt.stopped
               ? stop_cause_names[static_cast<std::size_t>(
                     result.stopped.cause_of(*attempt.stopped))]
               : job_state_names[static_cast<std::size_t>(result.jobs.state[attempt.job])];
}

/// Time before the work of the first attempt of a job.
[[nodiscard]] inline Duration first_lead(const Result& result, std::size_t job) {
    const PhaseColumns& phases = result.phases;
    return phases.startup_ms.empty()
               ? Duration{}
               : Duration{phases.startup_ms[phases.kind_of(job)] - result.jobs.staged(job)};
}

/// The same of the attempt after a stopped one.
[[nodiscard]] inline Duration lead_after(const Result& result, const ResultAttempt& attempt) {
    const PhaseColumns& phases = result.phases;
    const StopCause cause = result.stopped.cause_of(*attempt.stopped);
    if (cause == StopCause::shared)
        return std::max(attempt.lead - (attempt.end - attempt.start), Duration{});
    if (phases.startup_ms.empty())
        return {};
    const std::size_t kind = phases.kind_of(attempt.job);
    const bool is_resized = cause == StopCause::resized && !phases.rescale_ms.empty();
    return Duration{(is_resized ? phases.rescale_ms : phases.recovery_ms)[kind]};
}

/// Calls `act(attempt)` for every attempt, by job and then by time.
template <class Act>
void for_each_attempt(const Result& result, const Act& act) {
    const JobColumns& jobs = result.jobs;
    const StoppedColumns& stopped = result.stopped;
    std::vector<std::size_t> by_job(stopped.size());
    std::iota(by_job.begin(), by_job.end(), std::size_t{0});
    std::ranges::stable_sort(by_job, {}, [&](std::size_t at) { return stopped.job[at]; });
    auto next = by_job.begin();
    ResultAttempt attempt;
    for (std::size_t job = 0; job < jobs.size(); ++job) {
        attempt.job = job;
        attempt.number = 1;
        attempt.lead = first_lead(result, job);
        for (; next != by_job.end() && stopped.job[*next] == job; ++next) {
            attempt.pool = stopped.pool[*next];
            attempt.level = stopped.level[*next];
            attempt.start = Duration{stopped.start_ms[*next]};
            attempt.end = Duration{stopped.stop_ms[*next]};
            attempt.stopped = *next;
            attempt.gpus = stopped.gpus.empty() ? jobs.gpus[job] : stopped.gpus[*next];
            attempt.slots = slots_of_stopped(jobs, stopped, *next);
            act(attempt);
            attempt.lead = lead_after(result, attempt);
            attempt.number += stopped.cause_of(*next) == StopCause::shared ? 0U : 1U;
            ++attempt.index;
        }
        const JobState state = jobs.state[job];
        if (!has_started(state) || state == JobState::preempted)
            continue;
        attempt.pool = jobs.pool[job];
        attempt.level = jobs.level.empty() ? std::uint8_t{0} : jobs.level[job];
        attempt.start = Duration{jobs.last_start(job)};
        attempt.end = has_finished(state) ? Duration{jobs.finish_ms[job]} : result.end;
        attempt.stopped.reset();
        attempt.gpus = (jobs.last_gpus.empty() ? jobs.gpus : jobs.last_gpus)[job];
        attempt.slots = jobs.last_slots(job);
        act(attempt);
        ++attempt.index;
    }
}

}} // namespace bursar::reports
