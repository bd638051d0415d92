#pragma once

#include <cstdint>

#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/work_pattern.hpp"

namespace bursar::inline sim {

/// What preempting an attempt comes to.
struct Stop {
    Progress progress{};    ///< what the job carries on
    std::int64_t save_ms{}; ///< for which it holds its GPUs yet
    bool has_progress{};    ///< something of this attempt survives
};

/// The reference work of `attempt` that survives if it is preempted now, before its work ends.
[[nodiscard]] BURSAR_HD inline std::int64_t
kept_work_ms(const PlanView& plan, const Attempt& attempt, std::int64_t now_ms) {
    const PlanClass& job_class = plan.classes[attempt.job_class];
    const WorkPattern pattern{job_class};
    const std::int64_t offset = now_ms > attempt.work_begin_ms ? now_ms - attempt.work_begin_ms : 0;
    const std::int64_t done_ms = pattern.at_work(pattern.durable(offset));
    if (job_class.speed_row == 0)
        return done_ms;
    return done_ms * plan.speed(job_class.speed_row, attempt.pool, attempt.level).speed /
           reference_speed;
}

/// Tells the recorder that `attempt` stopped work at `stop_ms` and held its GPUs until `now_ms`.
template <class Recorder>
BURSAR_HD void record_stop(Recorder& recorder,
                           const PlanView& plan,
                           const Attempt& attempt,
                           std::int64_t stop_ms,
                           std::int64_t now_ms) {
    const std::int64_t offset =
        stop_ms > attempt.work_begin_ms ? stop_ms - attempt.work_begin_ms : 0;
    const WorkPattern pattern{plan.classes[attempt.job_class]};
    const std::int64_t kept_ms = pattern.at_work(pattern.durable(offset));
    recorder.preempted(attempt.job, now_ms, kept_ms, pattern.at_work(offset) - kept_ms);
}

/// Preempts `attempt` now, before its work ends. began: what its job carried when it began.
BURSAR_HD inline Stop stop_of(const PlanView& plan,
                              const Attempt& attempt,
                              const Progress& began,
                              UnfinishedRecovery unfinished,
                              std::int64_t now_ms) {
    const PlanClass& job_class = plan.classes[attempt.job_class];
    const WorkPattern pattern{job_class};
    const std::int64_t waited_for =
        attempt.work_begin_ms > now_ms ? attempt.work_begin_ms - now_ms : 0;
    const std::int64_t offset = waited_for > 0 ? 0 : now_ms - attempt.work_begin_ms;
    const std::int64_t done_ms = kept_work_ms(plan, attempt, now_ms);
    Stop stop;
    stop.progress.work_left_ms = began.work_left_ms - done_ms;
    stop.save_ms = pattern.last_save(offset);
    stop.progress.attained_ms = began.attained_ms + now_ms - attempt.start_ms;
    stop.progress.delay_ms = job_class.recovery.count();
    if (unfinished == UnfinishedRecovery::owed && attempt.is_later)
        stop.progress.delay_ms += waited_for;
    stop.progress.num_preempted = began.num_preempted + 1;
    stop.has_progress = done_ms > 0;
    return stop;
}

} // namespace bursar::inline sim
