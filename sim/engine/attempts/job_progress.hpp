#pragma once

#include <cstdint>

#include "sim/engine/attempts/attempt_bill.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/work_pattern.hpp"

namespace bursar { inline namespace sim {

/// The scheduler's estimate of the reference work left when an attempt of a job begins; >= 0.
[[nodiscard]] BURSAR_HD inline std::int64_t
believed_left_ms(const PlanView& plan, JobId job, const Progress& began) {
    const std::int64_t left = began.work_left_ms + plan.believed_work_ms(job) - plan.work_ms[job];
    return left > 0 ? left : 0;
}

/// The scheduler's estimate of the time from a start on `pool` to the end of the work, with
/// start-up or recovery and saves, at the slowest locality level and nodes; >= 1.
[[nodiscard]] BURSAR_HD inline std::int64_t
needed_ms(const PlanView& plan, JobId job, const Progress& progress, PoolId pool) {
    const std::int64_t left = believed_left_ms(plan, job, progress);
    std::int64_t longest = 0;
    for (std::uint32_t level = 0; level < plan.num_paces; ++level) {
        const std::int64_t work = elapsed_on(plan, job, left, pool, level);
        longest = work > longest ? work : longest;
    }
    const WorkPattern pattern = plan.pattern(plan.job_class[job], pool);
    const std::int64_t needed = progress.delay_ms + pattern.elapsed(longest);
    return needed > 1 ? needed : 1;
}

/// The scheduler's estimate of the time until the work of a running attempt ends; >= 1. A stop and
/// restart on this pool would need no less, unless recovery is shorter than start-up.
[[nodiscard]] BURSAR_HD inline std::int64_t still_needed_ms(const PlanView& plan,
                                                            const Attempt& attempt,
                                                            const Progress& began,
                                                            std::int64_t now_ms) {
    const std::int64_t left = believed_left_ms(plan, attempt.job, began);
    const std::int64_t work = elapsed_on(plan, attempt.job, left, attempt.pool, attempt.level);
    const WorkPattern pattern = pattern_of(plan, attempt);
    const std::int64_t needed = attempt.work_begin_ms + pattern.elapsed(work) - now_ms;
    return needed > 1 ? needed : 1;
}

}} // namespace bursar::sim
