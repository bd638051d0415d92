#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/engine/attempts/job_progress.hpp"
#include "sim/plan/plan_view.hpp"

/// When a job with a fallback must use it, and when it may leave it again (JobFallback). All times
/// as the scheduler believes.
namespace bursar { inline namespace sim {

/// The last instant from which a job of that progress, which waits, meets its deadline on its late
/// pools even if one more attempt on an early one comes to nothing; may have passed.
[[nodiscard]] BURSAR_HD inline std::int64_t
last_safe_ms(const PlanView& plan, const JobFallback& own, const Progress& progress) {
    const PlanClass& job_class = plan.classes[plan.job_class[own.job]];
    std::int64_t needed = 0;
    for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
        if ((own.late_pools >> pool & 1U) == 0)
            continue;
        const std::int64_t there = needed_ms(plan, own.job, progress, pool);
        needed = there > needed ? there : needed;
    }
    const std::int64_t lost = own.loss_ms < needed ? own.loss_ms : needed;
    return plan.deadline_ms[own.job] - own.boot_ms - needed - job_class.teardown.count() -
           job_class.recovery.count() - lost;
}

/// The uniform line: so much of a job's work is due in so much of the time until its deadline.
struct UniformLine {
    std::int64_t submit_ms{};
    std::int64_t work_ms{}; ///< of the whole job
    std::int64_t span_ms{}; ///< from submit to deadline
};
[[nodiscard]] BURSAR_HD inline UniformLine line_of(const PlanView& plan, JobId job) {
    return {plan.submit_ms[job],
            plan.believed_work_ms(job),
            plan.deadline_ms[job] - plan.submit_ms[job]};
}

/// The first instant at which a job that has done so much and does no more is behind the line.
[[nodiscard]] BURSAR_HD inline std::int64_t behind_from_ms(const UniformLine& line,
                                                           std::int64_t done_ms) {
    if (line.work_ms == 0 || done_ms >= line.work_ms)
        return horizon_ms;
    const int128 until = int128{done_ms} * line.span_ms / line.work_ms;
    return line.submit_ms + static_cast<std::int64_t>(until) + 1;
}

/// The first instant from `begin_ms` on at which a job that had done `done_ms` then, and goes on at
/// `speed`, has done what the line asks for `margin_ms` later; horizon_ms: never.
[[nodiscard]] BURSAR_HD inline std::int64_t ahead_from_ms(const UniformLine& line,
                                                          std::int64_t done_ms,
                                                          std::int64_t begin_ms,
                                                          std::int64_t speed,
                                                          std::int64_t margin_ms) {
    // span (done + x speed) >= work (begin + x + margin - submit), x ms after begin
    const int128 gained = int128{line.span_ms} * speed - int128{line.work_ms} * reference_speed;
    const int128 missing = (int128{line.work_ms} * (begin_ms + margin_ms - line.submit_ms) -
                            int128{line.span_ms} * done_ms) *
                           reference_speed;
    if (missing <= 0)
        return begin_ms;
    if (gained <= 0)
        return horizon_ms;
    const int128 wait = (missing + gained - 1) / gained;
    return wait < horizon_ms - begin_ms ? begin_ms + static_cast<std::int64_t>(wait) : horizon_ms;
}

}} // namespace bursar::sim
