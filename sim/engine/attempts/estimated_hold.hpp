#pragma once

#include <cstdint>

#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/job_progress.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"
#include "sim/plan/work_pattern.hpp"

namespace bursar { inline namespace sim {

/// The scheduler's estimates of how long jobs hold their GPUs: start-up or recovery, saves and
/// teardown, which are exact, and the estimated work left, at the speed of pool and locality level.
/// At most the horizon, past which no event can be.

/// The progress of a job that has not run yet.
[[nodiscard]] BURSAR_HD inline Progress progress_at_arrival(const PlanView& plan, JobId job) {
    return {plan.work_ms[job], 0, plan.classes[plan.job_class[job]].startup.count()};
}

[[nodiscard]] BURSAR_HD inline std::int64_t believed_hold_ms(
    const PlanView& plan, JobId job, const Progress& progress, PoolId pool, std::uint32_t level) {
    const std::uint16_t job_class = plan.job_class[job];
    const std::int64_t work =
        elapsed_on(plan, job, believed_left_ms(plan, job, progress), pool, level);
    const std::int64_t hold = progress.delay_ms + plan.pattern(job_class, pool).elapsed(work) +
                              plan.classes[job_class].teardown.count();
    return hold < horizon_ms ? hold : horizon_ms - 1;
}

/// When a running attempt is believed to release its GPUs; less than horizon_ms. began: its job's
/// progress before it; it may have staged a part of its start-up.
[[nodiscard]] BURSAR_HD inline std::int64_t
believed_release_ms(const PlanView& plan, const Attempt& attempt, Progress began) {
    began.delay_ms = attempt.work_begin_ms - attempt.start_ms;
    const std::int64_t release =
        attempt.start_ms +
        believed_hold_ms(plan, attempt.job, began, PoolId{attempt.pool}, attempt.level);
    return release < horizon_ms ? release : horizon_ms - 1;
}

/// The longest time a job could hold GPUs of a pool, on any nodes.
[[nodiscard]] BURSAR_HD inline std::int64_t
longest_hold_ms(const PlanView& plan, JobId job, const Progress& progress, PoolId pool) {
    std::int64_t longest = 0;
    for (std::uint32_t level = 0; level < plan.num_paces; ++level) {
        const std::int64_t hold = believed_hold_ms(plan, job, progress, pool, level);
        longest = hold > longest ? hold : longest;
    }
    return longest;
}

/// The shortest time a job could hold GPUs, on any pool it may ever use.
[[nodiscard]] BURSAR_HD inline std::int64_t
shortest_hold_ms(const RunPlan& plan, JobId job, const Progress& progress) {
    if (plan.classes[plan.job_class[job]].speed_row == 0) // the same wherever it runs
        return believed_hold_ms(plan, job, progress, PoolId{0}, 0);
    const std::uint64_t permitted = plan.admission_changes
                                        ? ~std::uint64_t{0}
                                        : plan.current_shapes[plan.shape[job]].permitted_pools;
    std::int64_t shortest = horizon_ms;
    for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
        for (std::uint32_t level = 0; (permitted >> pool & 1U) != 0 && level < plan.num_paces;
             ++level) {
            const std::int64_t hold = believed_hold_ms(plan, job, progress, pool, level);
            shortest = hold < shortest ? hold : shortest;
        }
    }
    return shortest;
}

}} // namespace bursar::sim
