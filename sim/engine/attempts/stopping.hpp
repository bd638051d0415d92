#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/stop_cause.hpp"
#include "sim/plan/work_pattern.hpp"

namespace bursar { inline namespace sim {

/// A stop of an attempt: its work ends at `stop_ms`, and it holds its GPUs until `release_ms`.
struct Stop {
    StopCause cause{};
    std::int64_t stop_ms{};
    std::int64_t release_ms{};
};

/// Time since the work of an attempt began; 0 while it starts up.
[[nodiscard]] BURSAR_HD inline std::int64_t work_offset(const Attempt& attempt,
                                                        std::int64_t time_ms) {
    return time_ms > attempt.work_begin_ms ? time_ms - attempt.work_begin_ms : 0;
}

/// The pattern of work and saves of an attempt.
[[nodiscard, gnu::always_inline]] BURSAR_HD inline WorkPattern pattern_of(const PlanView& plan,
                                                                          const Attempt& attempt) {
    return plan.pattern(attempt.job_class, PoolId{attempt.pool});
}

/// A stop now, before the work of `attempt` ends. It holds its GPUs while it saves its state, or
/// for `hold_ms` if the cause is abrupt.
[[nodiscard]] BURSAR_HD inline Stop stop_now(const PlanView& plan,
                                             const Attempt& attempt,
                                             StopCause cause,
                                             std::int64_t now_ms,
                                             std::int64_t hold_ms = 0) {
    const WorkPattern pattern = pattern_of(plan, attempt);
    const std::int64_t held_ms =
        is_abrupt(cause) ? hold_ms : pattern.last_save(work_offset(attempt, now_ms), cause);
    return {cause, now_ms, now_ms + held_ms};
}

/// The reference work that `attempt` has done at an offset of its pattern, rounded down.
[[nodiscard, gnu::always_inline]] BURSAR_HD inline std::int64_t
work_done_ms(const PlanView& plan, const Attempt& attempt, std::int64_t offset) {
    const std::uint16_t row = plan.classes[attempt.job_class].speed_row;
    const std::int64_t at_work_ms = pattern_of(plan, attempt).at_work(offset);
    if (row == 0)
        return at_work_ms;
    return at_work_ms * plan.speed(row, attempt.pool, attempt.level).speed / reference_speed;
}

/// The reference work of `attempt` that survives if it is stopped at `stop_ms`, before its work
/// ends.
[[nodiscard]] BURSAR_HD inline std::int64_t
kept_work_ms(const PlanView& plan, const Attempt& attempt, StopCause cause, std::int64_t stop_ms) {
    const std::int64_t offset = work_offset(attempt, stop_ms);
    return work_done_ms(plan, attempt, pattern_of(plan, attempt).survives(offset, cause));
}

/// The work of a stopped attempt: offsets as for WorkPattern.
struct StoppedWork {
    std::int64_t offset{};   ///< at which it was stopped
    std::int64_t survives{}; ///< up to which its work survives
};
[[nodiscard, gnu::always_inline]] BURSAR_HD inline StoppedWork
stopped_work(const PlanView& plan, const Attempt& attempt) {
    const std::int64_t offset = work_offset(attempt, attempt.stop_ms());
    return {offset, pattern_of(plan, attempt).survives(offset, attempt.cause)};
}

/// What an attempt that is stopped at `stop_ms` leaves of its recovery for the next one.
[[nodiscard]] BURSAR_HD inline std::int64_t
owed_recovery_ms(const Attempt& attempt, std::int64_t stop_ms, UnfinishedRecovery unfinished) {
    const bool is_owed = unfinished == UnfinishedRecovery::owed && attempt.is_later &&
                         attempt.work_begin_ms > stop_ms;
    return is_owed ? attempt.work_begin_ms - stop_ms : 0;
}

/// Reports to the recorder that the stopped `attempt` held its GPUs until `now_ms`.
template <class Recorder>
[[gnu::always_inline]] BURSAR_HD inline void record_stop(Recorder& recorder,
                                                         const PlanView& plan,
                                                         const Attempt& attempt,
                                                         const StoppedWork& work,
                                                         std::int64_t now_ms,
                                                         UnfinishedRecovery unfinished) {
    const WorkPattern pattern = pattern_of(plan, attempt);
    const std::int64_t kept_ms = pattern.at_work(work.survives);
    recorder.stopped(attempt.job,
                     attempt.cause,
                     now_ms,
                     kept_ms,
                     pattern.at_work(work.offset) - kept_ms,
                     owed_recovery_ms(attempt, attempt.stop_ms(), unfinished));
}

/// What is left of the start-up or recovery of an attempt that continues on its GPUs.
[[gnu::cold, gnu::noinline]] BURSAR_HD inline void
go_on_from(Progress& progress, const Attempt& attempt, std::int64_t stop_ms) {
    progress.delay_ms = attempt.work_begin_ms > stop_ms ? attempt.work_begin_ms - stop_ms : 0;
    progress.starts_up = progress.delay_ms > 0 && (!attempt.is_later || attempt.starts_up);
}

/// Updates a job's progress from the begin of `attempt` to its stop, before its work ends.
[[gnu::always_inline]] BURSAR_HD inline void add_stopped(Progress& progress,
                                                         const PlanView& plan,
                                                         const Attempt& attempt,
                                                         const Stop& stop,
                                                         UnfinishedRecovery unfinished) {
    progress.work_left_ms -= kept_work_ms(plan, attempt, stop.cause, stop.stop_ms);
    progress.attained_ms += stop.stop_ms - attempt.start_ms;
    const PlanClass& job_class = plan.classes[attempt.job_class];
    progress.delay_ms =
        (stop.cause == StopCause::resized ? job_class.rescale : job_class.recovery).count() +
        owed_recovery_ms(attempt, stop.stop_ms, unfinished);
    progress.starts_up = false;
    if (stop.cause == StopCause::shared) [[unlikely]]
        go_on_from(progress, attempt, stop.stop_ms);
    ++progress.num_stopped;
    progress.num_preempted += stop.cause == StopCause::preempted ? 1 : 0;
}

/// The time that stopping an attempt now costs its job: work since its last durable state, which
/// must be done again (the whole attempt if there is none), the save, and the recovery.
BURSAR_HD inline std::int64_t
stop_loss_ms(const PlanView& plan, const Attempt& attempt, std::int64_t now_ms) {
    const PlanClass& job_class = plan.classes[attempt.job_class];
    const std::int64_t recovery_ms = job_class.recovery.count();
    if (saves_at_stop(job_class.checkpoint, StopCause::preempted))
        return (job_class.save + job_class.write).count() + recovery_ms;
    const std::int64_t offset = work_offset(attempt, now_ms);
    const std::int64_t durable = pattern_of(plan, attempt).saved(offset);
    return (durable == 0 ? now_ms - attempt.start_ms : offset - durable) + recovery_ms;
}

/// The same for the whole gang, in slot-ms.
BURSAR_HD inline int128
stop_loss(const PlanView& plan, const Attempt& attempt, std::int64_t now_ms) {
    return int128{plan.shapes[attempt.shape].slots()} * stop_loss_ms(plan, attempt, now_ms);
}

}} // namespace bursar::sim
