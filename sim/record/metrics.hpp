#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/record/distribution.hpp"
#include "sim/record/place_wait.hpp"

namespace bursar { inline namespace sim {

/// State of a job's deadline at the end of a run.
enum class DeadlineState : std::uint8_t {
    open, ///< not decided: it was cancelled or stopped, or the run ended first
    met,
    missed, ///< the job ended later, or the run ended later and the job had not, or it was rejected
            ///< or dropped
    failed, ///< the job failed before it
};

/// finish_ms: absent while the job is unfinished; `how` then says only whether it was rejected, as
/// which a dropped job counts here. All in ms.
constexpr DeadlineState deadline_state(std::int64_t deadline_ms,
                                       JobEnd how,
                                       std::optional<std::int64_t> finish_ms,
                                       std::int64_t run_end_ms) {
    if (how == JobEnd::rejected)
        return DeadlineState::missed;
    if (!finish_ms)
        return run_end_ms > deadline_ms ? DeadlineState::missed : DeadlineState::open;
    if (how == JobEnd::cancelled || how == JobEnd::stopped)
        return DeadlineState::open;
    if (*finish_ms > deadline_ms)
        return DeadlineState::missed;
    return how == JobEnd::completed ? DeadlineState::met : DeadlineState::failed;
}

struct JobRows;
struct Plan;

/// Length of the queue over the measured time; figures are weighted by time.
struct QueueLength {
    Duration span{};          ///< measured time; if 0, the other members mean nothing
    int128 job_ms{};          ///< jobs in the queue, summed over time; mean = job_ms / span
    int128 gpu_ms{};          ///< GPUs that they request, summed over time
    std::uint64_t p50_jobs{}; ///< least length that the queue did not exceed for half of the time
    std::uint64_t p99_jobs{};
    std::uint64_t max_jobs{};
    std::uint64_t max_gpus{};

    bool operator==(const QueueLength&) const = default;
};

/// Effect of the places of gangs on their speed: slots times time at work, over all attempts of the
/// measured jobs. Jobs whose speed does not depend on their place add nothing. Each attempt is
/// rounded down to 1 ms.
struct LevelEffect {
    int128 gained_slot_ms{}; ///< time saved compared to the widest level of its pool
    int128 lost_slot_ms{};   ///< extra time compared to the narrowest level of its pool

    bool operator==(const LevelEffect&) const = default;
};

/// Deadlines of the measured jobs at the end, by DeadlineState.
struct Deadlines {
    std::uint64_t jobs{};     ///< with a deadline
    std::uint64_t missed{};   ///< DeadlineState
    std::uint64_t failed{};   ///< likewise
    std::uint64_t open{};     ///< likewise
    std::uint64_t met{};      ///< likewise
    std::uint64_t rejected{}; ///< of the missed ones: refused at their submit
    std::uint64_t dropped{};  ///< likewise: left the queue, as they had to miss them

    bool operator==(const Deadlines&) const = default;
};

/// What measured jobs staged ahead of their start (StagedAhead), times the slots of their gangs.
struct StagingUse {
    std::uint64_t used{};        ///< starts that found it there
    std::uint64_t for_nothing{}; ///< stagings of no use by the end of the run
    int128 saved_slot_ms{};      ///< start-up that was not waited for
    int128 wasted_slot_ms{};     ///< time that stagings of no use took
    int128 kept_slot_ms{};       ///< time on disks after a staging was done, used or not

    bool operator==(const StagingUse&) const = default;
};

/// Waits and slowdowns of the measured jobs, which are those submitted in [measure_from,
/// measure_to); exact. Distributions are over the finished ones among them, except wait_at_least
/// and jct_at_least.
struct Metrics {
    std::uint64_t jobs_measured{};      ///< submitted inside the window and before the end
    std::uint64_t jobs_finished{};      ///< of the measured ones
    std::uint64_t jobs_censored{};      ///< of the measured ones: unfinished at the end
    std::uint64_t jobs_not_submitted{}; ///< inside the window, but the run ended first
    SlotTime censored_held{};           ///< slot time of the censored jobs until the end
    /// Work of the finished jobs, without those that failed or were cancelled, at reference speed:
    /// the same on every fleet.
    SlotTime finished_work{};

    Distribution jct;          ///< finish - submit; ms
    Distribution wait;         ///< first start - eligible; ms
    Distribution queued_total; ///< all time eligible and not running; ms
    /// (finish - eligible) / ideal run time in millionths, each job rounded half up. Jobs whose
    /// ideal run time is 0 are left out, so `count` may be less than jobs_finished.
    Distribution slowdown;
    Distribution bounded_slowdown; ///< as slowdown, of at least 10 s and at least 1
    /// Finish-time fairness in millionths, of the jobs of `slowdown`. It needs the fleet, so that
    /// measure() leaves it empty and make_result() sets it.
    Distribution rho;
    /// `wait` of the jobs whose priority is above the plan's lowest; ms. Empty if all priorities
    /// are equal.
    Distribution priority_wait;
    Distribution attempts; ///< starts of each job
    /// Lower bounds of `wait` and `jct` over all measured jobs: for a job that has not started, its
    /// wait so far; for one that has not finished, its age at the end. Equal to `wait` and `jct` if
    /// all have finished.
    Distribution wait_at_least;
    Distribution jct_at_least; ///< likewise

    std::optional<Duration> makespan; ///< last finish - first submit; absent if nothing finished
    std::uint64_t preemptions{};      ///< attempts of measured jobs stopped before their work ended
    std::uint64_t preempted_without_progress{}; ///< of those: no work of theirs was kept
    std::uint64_t migrations{}; ///< attempts of measured jobs stopped to continue in another pool
    std::uint64_t resizes{};    ///< attempts of measured jobs stopped to go on with other GPUs
    std::uint64_t restarts{};   ///< starts of measured jobs after their first
    QueueLength queue;
    std::optional<Deadlines> deadlines{}; ///< absent: no job of the run has one
    std::optional<StagingUse> staging{};  ///< absent: no job of the run may stage
    /// Wait that placement caused, and speed that it gained.
    std::optional<PlaceWait> place_wait{};     ///< absent: capacity was counted
    std::optional<LevelEffect> level_effect{}; ///< absent: the plan has one locality level

    bool operator==(const Metrics&) const = default;
};

/// a / b in millionths, half up; a: 0 .. 2^43, b > 0.
constexpr std::int64_t ratio_millionths(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>((int128{a} * 1'000'000 * 2 + b) / (int128{b} * 2));
}

/// Ideal run times below this count as this in the bounded slowdown (a convention of the
/// job-scheduling literature).
inline constexpr Duration bounded_slowdown_floor = 10 * second;

/// The metrics of one run. ideal_ms: by job, its ideal run time (ideal_run_times). `end`: when the
/// run ended. Run time is the time a job held its GPUs in all its attempts, including start-up,
/// saves, teardown and lost work. Scratch memory: 8 bytes per job, and 12 more where jobs were
/// preempted.
[[nodiscard]] Metrics measure(const Plan& plan,
                              const JobRows& rows,
                              std::span<const std::int64_t> ideal_ms,
                              Duration end);

/// The LevelEffect of the measured jobs; absent if the plan has one locality level.
[[nodiscard]] std::optional<LevelEffect>
level_effect(const Plan& plan, const JobRows& rows, Duration end);

}} // namespace bursar::sim
