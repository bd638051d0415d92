#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// One start of a job.
struct ResultAttempt {
    std::size_t index{}; ///< among all attempts, by job and then by time
    std::size_t job{};
    std::size_t number{1}; ///< of its job's attempts, from 1
    std::uint16_t pool{};
    std::uint8_t level{};
    bool is_resized{}; ///< it went on from the one before, with other GPUs
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
        attempt.is_resized = false;
        for (; next != by_job.end() && stopped.job[*next] == job; ++next) {
            attempt.pool = stopped.pool[*next];
            attempt.level = stopped.level[*next];
            attempt.start = Duration{stopped.start_ms[*next]};
            attempt.end = Duration{stopped.stop_ms[*next]};
            attempt.stopped = *next;
            attempt.gpus = stopped.gpus.empty() ? jobs.gpus[job] : stopped.gpus[*next];
            attempt.slots = jobs.slots_with(job, attempt.gpus);
            act(attempt);
            attempt.is_resized = stopped.cause_of(*next) == StopCause::resized;
            ++attempt.number;
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
        attempt.slots = jobs.slots_with(job, attempt.gpus);
        act(attempt);
        ++attempt.index;
    }
}

}} // namespace bursar::reports
