#pragma once

#include <cstdint>
#include <optional>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"
#include "sim/record/distribution.hpp"
#include "sim/record/place_wait.hpp"

namespace bursar { inline namespace sim {

/// How a job stands to its deadline at the end of a run.
enum class DeadlineState : std::uint8_t {
    open, ///< it was cancelled, or the run ended before anybody could say
    met,
    missed, ///< it ended later, or the run went on past it
    failed, ///< it came to nothing before
};

/// finish_ms: absent while the job is unfinished; how: it then means nothing. All in ms.
constexpr DeadlineState deadline_state(std::int64_t deadline_ms,
                                       JobEnd how,
                                       std::optional<std::int64_t> finish_ms,
                                       std::int64_t run_end_ms) {
    if (!finish_ms)
        return run_end_ms > deadline_ms ? DeadlineState::missed : DeadlineState::open;
    if (how == JobEnd::cancelled)
        return DeadlineState::open;
    if (*finish_ms > deadline_ms)
        return DeadlineState::missed;
    return how == JobEnd::completed ? DeadlineState::met : DeadlineState::failed;
}

struct JobRows;
struct Plan;

/// How long the queue was over the measured stretch of time: figures weighted by time.
struct QueueLength {
    Duration span{};          ///< of the stretch; nothing else means anything where it is 0
    int128 job_ms{};          ///< jobs in the queue, summed over time; mean = job_ms / span
    int128 gpu_ms{};          ///< the same of the GPUs they ask for
    std::uint64_t p50_jobs{}; ///< least length that the queue did not pass for half of the time
    std::uint64_t p99_jobs{};
    std::uint64_t max_jobs{};
    std::uint64_t max_gpus{};

    bool operator==(const QueueLength&) const = default;
};

/// What the places of gangs changed about their speed: slots times time at work, over all attempts
/// of the measured jobs. Jobs whose speed depends on no place add nothing. Each attempt is rounded
/// down to 1 ms.
struct LevelEffect {
    int128 gained_slot_ms{}; ///< what the same work would have taken more, spread out the widest
    int128 lost_slot_ms{};   ///< what it took more than at the narrowest level of its pool

    bool operator==(const LevelEffect&) const = default;
};

/// How the measured jobs that have a deadline stood to it at the end.
struct Deadlines {
    std::uint64_t jobs{};   ///< that have one
    std::uint64_t missed{}; ///< DeadlineState
    std::uint64_t failed{}; ///< likewise
    std::uint64_t open{};   ///< likewise; the rest met theirs

    bool operator==(const Deadlines&) const = default;
};

/// What users felt: exact figures over the measured jobs, those submitted in
/// [measure_from, measure_to). The distributions are over the finished ones among them, but for the
/// two whose names say "at least".
struct Metrics {
    std::uint64_t jobs_measured{};      ///< submitted inside the window and before the end
    std::uint64_t jobs_finished{};      ///< of the measured ones
    std::uint64_t jobs_censored{};      ///< of the measured ones: queued or running at the end
    std::uint64_t jobs_not_submitted{}; ///< inside the window, but the run ended first
    SlotTime censored_held{};           ///< what the censored jobs held until the end

    Distribution jct;          ///< finish - submit; ms
    Distribution wait;         ///< first start - submit; ms
    Distribution queued_total; ///< all time submitted and not running: JCT - run time; ms
    /// JCT / run time in millionths, each job rounded half up. A job of no run time has none, so
    /// `count` may be less than jobs_finished.
    Distribution slowdown;
    Distribution bounded_slowdown; ///< max(1, JCT / max(run time, 10 s)) in millionths
    /// `wait` of the jobs whose priority is above the plan's lowest: from the arrival of an urgent
    /// job to its running; ms. Of none where all priorities are equal.
    Distribution priority_wait;
    Distribution attempts; ///< starts of each job
    /// Over all jobs measured: of one that has not started, what it has waited so far; of one that
    /// has not finished, its age at the end. Each figure is at most what it would be, had the run
    /// gone on until all finished. Equal to `wait` and `jct` where all did.
    Distribution wait_at_least;
    Distribution jct_at_least; ///< likewise

    std::optional<Duration> makespan; ///< last finish - first submit; absent if nothing finished
    std::uint64_t preemptions{};      ///< attempts of measured jobs stopped before their work ended
    std::uint64_t preempted_without_progress{}; ///< of those, such that left nothing that lasts
    std::uint64_t migrations{}; ///< attempts of measured jobs stopped to go on in another pool
    std::uint64_t restarts{};   ///< starts of measured jobs after their first
    QueueLength queue;
    std::optional<Deadlines> deadlines{}; ///< absent: no job of the run has one
    /// What placement cost in waiting, and what it gained in speed.
    std::optional<PlaceWait> place_wait{};     ///< absent: capacity was counted
    std::optional<LevelEffect> level_effect{}; ///< absent: the plan has one locality level

    bool operator==(const Metrics&) const = default;
};

/// Run time below which a slowdown says little (the convention of the job-scheduling literature).
inline constexpr Duration bounded_slowdown_floor = 10 * second;

/// The metrics of one run. `end`: when the run ended. Run time is the time a job held its GPUs,
/// over all its attempts: start-up, saves and teardown are part of it, and so is work that was
/// lost. Scratch memory: 8 bytes per job, and 12 more where jobs were preempted.
[[nodiscard]] Metrics measure(const Plan& plan, const JobRows& rows, Duration end);

/// What the places of the measured jobs changed about their time at work (LevelEffect); nothing
/// where the plan has one locality level.
[[nodiscard]] std::optional<LevelEffect>
level_effect(const Plan& plan, const JobRows& rows, Duration end);

}} // namespace bursar::sim
