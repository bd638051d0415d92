#pragma once

#include <cstdint>

#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/work_pattern.hpp"

namespace bursar::inline sim {

/// How long jobs hold their GPUs as the scheduler believes it: start-up, saves and teardown, which
/// it knows, and the work by its estimate, at the speed of pool and locality level. Cut off at the
/// horizon, past which no event can be.

[[nodiscard]] BURSAR_HD inline std::int64_t
believed_hold_ms(const PlanView& plan, JobId job, PoolId pool, std::uint32_t level) {
    const PlanClass& job_class = plan.classes[plan.job_class[job]];
    const std::int64_t work = elapsed_on(plan, job, plan.believed_work_ms(job), pool, level);
    const std::int64_t hold = job_class.startup.count() + WorkPattern{job_class}.elapsed(work) +
                              job_class.teardown.count();
    return hold < horizon_ms ? hold : horizon_ms - 1;
}

/// When a running attempt is believed to give its GPUs back; less than horizon_ms.
[[nodiscard]] BURSAR_HD inline std::int64_t believed_release_ms(const PlanView& plan,
                                                                const Attempt& attempt) {
    const std::int64_t release =
        attempt.start_ms + believed_hold_ms(plan, attempt.job, attempt.pool, attempt.level);
    return release < horizon_ms ? release : horizon_ms - 1;
}

/// The longest it could hold GPUs of a pool, whatever locality its gang gets there.
[[nodiscard]] BURSAR_HD inline std::int64_t
longest_hold_ms(const PlanView& plan, JobId job, PoolId pool) {
    std::int64_t longest = 0;
    for (std::uint32_t level = 0; level < plan.num_levels; ++level) {
        const std::int64_t hold = believed_hold_ms(plan, job, pool, level);
        longest = hold > longest ? hold : longest;
    }
    return longest;
}

/// The shortest it could hold GPUs of any pool it may use.
[[nodiscard]] BURSAR_HD inline std::int64_t shortest_hold_ms(const PlanView& plan, JobId job) {
    if (plan.classes[plan.job_class[job]].speed_row == 0)
        return believed_hold_ms(plan, job, PoolId{0}, 0); // the same wherever it runs
    const std::uint64_t permitted = plan.shapes[plan.shape[job]].permitted_pools;
    std::int64_t shortest = horizon_ms;
    for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
        for (std::uint32_t level = 0; (permitted >> pool & 1U) != 0 && level < plan.num_levels;
             ++level) {
            const std::int64_t hold = believed_hold_ms(plan, job, pool, level);
            shortest = hold < shortest ? hold : shortest;
        }
    }
    return shortest;
}

} // namespace bursar::inline sim
