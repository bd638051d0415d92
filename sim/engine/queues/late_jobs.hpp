#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/arena/min_tree.hpp"
#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/job_progress.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"
#include "sim/plan/work_pattern.hpp"

namespace bursar { inline namespace sim {

/// The least time for which a waiting job could hold its GPUs, by the scheduler's estimates: on any
/// pool that it may ever use, with any locality, and in any form if jobs are resized.
[[nodiscard]] BURSAR_HD inline std::int64_t
least_hold_ms(const PlanView& plan, JobId job, const Progress& progress, bool resizes) {
    const PlanClass& own = plan.classes[plan.job_class[job]];
    const std::int64_t left_ms = believed_left_ms(plan, job, progress);
    std::int64_t least = horizon_ms;
    const auto compare = [&](std::uint16_t job_class, const JobShape& shape) {
        std::uint64_t pools = shape.permitted_pools;
        if (shape.fallback != 0)
            pools |= plan.fallbacks[shape.fallback - 1U].early_pools |
                     plan.fallbacks[shape.fallback - 1U].late_pools;
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            for (std::uint32_t pace = 0; (pools >> pool & 1U) != 0 && pace < plan.num_paces;
                 ++pace) {
                const std::int64_t work_ms = elapsed_by_class(plan, job_class, left_ms, pool, pace);
                const std::int64_t at_work_ms = plan.pattern(job_class, pool).elapsed(work_ms);
                least = at_work_ms < least ? at_work_ms : least;
            }
        }
    };
    compare(plan.job_class[job], plan.shapes[plan.shape[job]]);
    for (std::uint32_t i = 0; resizes && i < own.num_forms; ++i) {
        const PlanForm& form = plan.forms[own.form_begin + i];
        compare(form.job_class, plan.shapes[form.shape]);
    }
    return progress.delay_ms + least + own.teardown.count();
}

/// When waiting jobs are dropped (PlanClass::drops_late): once they could not end by their deadline
/// even if they started.
///
/// Memory: 9.2 bytes per job; none in a plan without such jobs.
class LateJobs {
  public:
    LateJobs() = default;
    BURSAR_HD LateJobs(ArenaCarver& carver, const PlanView& plan, bool resizes)
        : plan_{plan}, resizes_{resizes} {
        if (plan.drops_late)
            due_ = MinTree{carver, plan.num_jobs};
    }

    BURSAR_HD void clear() { due_.clear(); }

    /// A job begins to wait.
    BURSAR_HD void waits(JobId job, const Progress& progress, std::int64_t now_ms) {
        if (!plan_.may_be_dropped(job))
            return;
        const std::int64_t last_start_ms =
            plan_.deadline_ms[job] - least_hold_ms(plan_, job, progress, resizes_);
        due_.set(job, last_start_ms < now_ms ? now_ms : last_start_ms + 1);
    }
    BURSAR_HD void started(JobId job) { due_.set(job, MinTree::absent); }

    /// When the next job is dropped unless it starts; horizon_ms: none.
    [[nodiscard]] BURSAR_HD std::int64_t next_ms() const {
        return due_.least() < horizon_ms ? due_.least() : horizon_ms;
    }
    /// Takes out that job, the first one of the plan if there are several. Precondition: there is
    /// one.
    [[nodiscard]] BURSAR_HD JobId take_next() {
        const JobId job{due_.first_at_most(0, due_.least())};
        due_.set(job, MinTree::absent);
        return job;
    }

  private:
    PlanView plan_;
    bool resizes_{};
    MinTree due_; ///< by job; absent: it does not wait, or is never dropped
};

}} // namespace bursar::sim
