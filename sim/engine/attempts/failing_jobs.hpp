#pragma once

#include <cstdint>

#include "models/reliability/job_failures.hpp"

#include "sim/arena/arena.hpp"
#include "sim/arena/min_tree.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// Jobs that fail by their own fault: the wear of each since its last failure, and when running
/// ones will fail. The limit of wear depends on the seed, the job and the number of the failure. So
/// a job fails after the same fraction of its run under every policy.
///
/// Memory: 12 bytes per job and 9 per slot; nothing if no job fails so. Cold, so that the loop
/// stays small.
class FailingJobs {
  public:
    FailingJobs() = default;
    BURSAR_HD FailingJobs(ArenaCarver& carver, const PlanView& plan, std::uint32_t num_slots)
        : num_jobs_{plan.own_failures == nullptr ? 0 : plan.num_jobs},
          wear_{carver.take<std::int64_t>(num_jobs_)},
          num_failed_{carver.take<std::uint32_t>(num_jobs_)} {
        if (num_jobs_ > 0)
            due_ = MinTree{carver, num_slots};
    }

    BURSAR_HD void clear() {
        due_.clear();
        for (std::uint32_t job = 0; job < num_jobs_; ++job)
            wear_[job] = num_failed_[job] = 0;
    }

    /// When the next job fails; horizon_ms: never.
    [[nodiscard]] BURSAR_HD std::int64_t next_ms() const {
        return due_.least() < horizon_ms ? due_.least() : horizon_ms;
    }

    /// An attempt has begun. An attempt that reaches the end of its work does not fail at that
    /// instant. Precondition, also of the functions below: some job of the plan fails by its own
    /// fault.
    [[gnu::cold, gnu::noinline]] BURSAR_HD void
    began(const PlanView& plan, const Attempt& attempt, AttemptId slot, std::int64_t work_end_ms) {
        const std::int64_t rate = rate_of(plan, attempt);
        if (rate == 0)
            return;
        const std::int64_t left =
            wear_to_failure(plan.own_failure_seed, attempt.job, num_failed_[attempt.job]) -
            wear_[attempt.job];
        const std::int64_t needed_ms = ms_to_wear(left, rate);
        if (needed_ms < work_end_ms - attempt.start_ms)
            due_.set(slot, attempt.start_ms + needed_ms);
    }

    /// An attempt is stopped, for any cause.
    [[gnu::cold, gnu::noinline]] BURSAR_HD void
    stopped(const PlanView& plan, const Attempt& attempt, AttemptId slot, std::int64_t now_ms) {
        const std::int64_t rate = rate_of(plan, attempt);
        if (rate == 0)
            return;
        due_.set(slot, MinTree::absent);
        if (attempt.cause == StopCause::job_failed) {
            wear_[attempt.job] = 0;
            ++num_failed_[attempt.job];
        } else {
            wear_[attempt.job] += rate * (now_ms - attempt.start_ms);
        }
    }

    /// The attempt of the highest-numbered job that fails at this instant, or none.
    [[nodiscard]] BURSAR_HD AttemptId last_due(const LiveAttempts& attempts,
                                               std::int64_t now_ms) const {
        AttemptId last = LiveAttempts::none();
        if (due_.least() > now_ms)
            return last;
        for (std::uint32_t slot = due_.first_at_most(0, now_ms); slot != MinTree::none;
             slot = due_.first_at_most(slot + 1, now_ms)) {
            if (last == LiveAttempts::none() || attempts[AttemptId{slot}].job > attempts[last].job)
                last = AttemptId{slot};
        }
        return last;
    }

  private:
    [[nodiscard]] BURSAR_HD static std::int64_t rate_of(const PlanView& plan,
                                                        const Attempt& attempt) {
        return plan.failures_of(attempt.job_class, PoolId{attempt.pool})
            .rate(plan.shapes[attempt.shape].gpus);
    }

    std::uint32_t num_jobs_{};
    std::int64_t* wear_{};        ///< by job, since it failed last
    std::uint32_t* num_failed_{}; ///< by job
    MinTree due_;                 ///< by slot: when its attempt fails
};

}} // namespace bursar::sim
