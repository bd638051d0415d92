#pragma once

#include <cassert>
#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"
#include "sim/arena/min_tree.hpp"
#include "sim/engine/attempts/job_progress.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/broker/run_pools.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

// When a job must use its fallback, and when it may leave it again (JobFallback). All times are the
// scheduler's estimates.

/// The last instant from which a waiting job meets its deadline on its late pools even if one more
/// attempt on an early pool is lost; may be in the past.
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

/// The uniform pace: the work due grows in proportion to the time since submit, up to the deadline.
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

/// The first instant at which a job with `done_ms` of work done, and no more, is behind the pace.
[[nodiscard]] BURSAR_HD inline std::int64_t behind_from_ms(const UniformLine& line,
                                                           std::int64_t done_ms) {
    if (line.work_ms == 0 || done_ms >= line.work_ms)
        return horizon_ms;
    const int128 until = int128{done_ms} * line.span_ms / line.work_ms;
    return line.submit_ms + static_cast<std::int64_t>(until) + 1;
}

/// The first instant at which a job is ahead of the pace by `margin_ms`; horizon_ms: never. It has
/// done `done_ms` at `begin_ms` and works at `speed` from then on.
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

/// The state of jobs with a fallback (JobFallback). Each has its own shape, and the pools it may
/// use are stored in the run's copy of it (RunShapes). So other decisions need not know deadlines.
///
/// There are as many shapes as such jobs. So the shapes of waiting jobs are kept as a set, and
/// walks over waiting jobs skip the others.
///
/// Memory: 28 bytes per job with a fallback, and a bit per shape.
class Fallbacks {
  public:
    Fallbacks() = default;
    BURSAR_HD Fallbacks(ArenaCarver& carver, const PlanView& plan, const RunShapes& shapes)
        : plan_{plan}, shapes_{shapes} {
        if (plan.num_fallbacks == 0)
            return;
        slot_of_ = carver.take<AttemptId>(plan.num_fallbacks);
        due_ = MinTree{carver, plan.num_fallbacks};
        ready_ = MinTree{carver, plan.num_fallbacks};
        waiting_ = carver.take<BitTree>(1);
        const BitTree waiting{carver, plan.num_shapes};
        if (waiting_ != nullptr)
            *waiting_ = waiting;
    }

    BURSAR_HD void clear() {
        due_.clear();
        ready_.clear();
        num_changes_ = 0;
        for (std::uint32_t row = 0; row < plan_.num_fallbacks; ++row)
            slot_of_[row] = LiveAttempts::none();
        if (waiting_ == nullptr)
            return;
        waiting_->clear();
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            if (plan_.shapes[shape].fallback == 0)
                waiting_->insert(shape);
    }

    /// For RunPlan::waiting_shapes; null if no job has a fallback.
    [[nodiscard]] BURSAR_HD const BitTree* waiting_shapes() const { return waiting_; }

    /// When a job next must fall back, or may leave its fallback; horizon_ms: never.
    [[nodiscard]] BURSAR_HD std::int64_t next_ms() const {
        return due_.least() < horizon_ms ? due_.least() : horizon_ms;
    }

    /// A job begins to wait.
    [[gnu::noinline, gnu::cold]] BURSAR_HD void
    waits(JobId job, const Progress& progress, std::int64_t now_ms) {
        const std::uint32_t row = row_of(job);
        if (row == none)
            return;
        const JobFallback& own = plan_.fallbacks[row];
        slot_of_[row] = LiveAttempts::none();
        waiting_->insert(plan_.shape[job]);
        ready_.set(row, MinTree::absent);
        const std::int64_t late_ms = late_from_ms(own, progress);
        const bool is_late = late_ms <= now_ms;
        may_use(job, is_late ? own.late_pools : own.early_pools);
        due_.set(row, is_late ? MinTree::absent : late_ms);
        num_changes_ += is_late ? 1 : 0;
    }

    /// An attempt has begun, with this progress of its job.
    [[gnu::noinline, gnu::cold]] BURSAR_HD void began(const Attempt& attempt,
                                                      AttemptId slot,
                                                      const Progress& progress,
                                                      std::int64_t work_end_ms) {
        const std::uint32_t row = row_of(attempt.job);
        if (row == none)
            return;
        const JobFallback& own = plan_.fallbacks[row];
        slot_of_[row] = slot;
        waiting_->erase(plan_.shape[attempt.job]);
        std::int64_t ahead_ms = horizon_ms;
        if (plan_.keeps_pace && (own.late_pools >> attempt.pool & 1U) != 0)
            ahead_ms = ahead_ms_of(attempt, progress);
        due_.set(row, ahead_ms < work_end_ms ? ahead_ms : MinTree::absent);
    }

    /// Waiting jobs that are due fall back, and running ones that are ahead may move. Returns
    /// whether a waiting job may use other pools than before.
    BURSAR_HD bool follow(std::int64_t now_ms) {
        bool some_fell_back = false;
        for (std::uint32_t row = due_.first_at_most(0, now_ms); row != MinTree::none;
             row = due_.first_at_most(row + 1, now_ms)) {
            const JobFallback& own = plan_.fallbacks[row];
            due_.set(row, MinTree::absent);
            const bool waits = slot_of_[row] == LiveAttempts::none();
            may_use(own.job, waits ? own.late_pools : own.early_pools);
            if (!waits)
                ready_.set(row, 0);
            some_fell_back |= waits;
            ++num_changes_;
        }
        return some_fell_back;
    }

    /// Calls `use(job, slot)` for each job that may move to an early pool, until it returns true.
    /// Returns whether it did. Jobs that are no longer at work in that slot are dropped.
    template <class IsAtWork, class Use>
    BURSAR_HD bool for_each_ready(const IsAtWork& is_at_work, const Use& use) {
        if (ready_.least() == MinTree::absent)
            return false;
        for (std::uint32_t row = ready_.first_at_most(0, 0); row != MinTree::none;
             row = ready_.first_at_most(row + 1, 0)) {
            const JobId job = plan_.fallbacks[row].job;
            if (!is_at_work(job, slot_of_[row]))
                ready_.set(row, MinTree::absent);
            else if (use(job, slot_of_[row]))
                return true;
        }
        return false;
    }

    /// Whether a job with this progress could wait for an early pool now.
    [[nodiscard]] BURSAR_HD bool
    can_wait(JobId job, const Progress& progress, std::int64_t now_ms) const {
        return late_from_ms(plan_.fallbacks[row_of(job)], progress) > now_ms;
    }

    /// A job was stopped on a late pool and waits for an early one.
    BURSAR_HD void moved() { ++num_changes_; }
    /// Grows with everything that may change demand.
    [[nodiscard]] BURSAR_HD std::uint64_t num_changes() const { return num_changes_; }

  private:
    static constexpr std::uint32_t none = 0xffffffffU;

    [[nodiscard]] BURSAR_HD std::uint32_t row_of(JobId job) const {
        return plan_.shapes[plan_.shape[job]].fallback - 1U; // 0 becomes none
    }
    BURSAR_HD void may_use(JobId job, std::uint64_t pools) {
        shapes_.may_use(plan_.shape_of(job), pools);
    }
    [[nodiscard]] BURSAR_HD std::int64_t done_ms(JobId job, const Progress& progress) const {
        return plan_.believed_work_ms(job) - believed_left_ms(plan_, job, progress);
    }
    /// When a waiting job falls back.
    [[nodiscard]] BURSAR_HD std::int64_t late_from_ms(const JobFallback& own,
                                                      const Progress& progress) const {
        const std::int64_t safe_ms = last_safe_ms(plan_, own, progress);
        if (!plan_.keeps_pace)
            return safe_ms;
        const std::int64_t behind_ms =
            behind_from_ms(line_of(plan_, own.job), done_ms(own.job, progress));
        return behind_ms < safe_ms ? behind_ms : safe_ms;
    }
    /// When an attempt on a late pool is ahead of the pace by its margin.
    [[nodiscard]] BURSAR_HD std::int64_t ahead_ms_of(const Attempt& attempt,
                                                     const Progress& progress) const {
        const PlanClass& job_class = plan_.classes[attempt.job_class];
        std::int64_t margin_ms = 2 * job_class.recovery.count();
        if (!saves_at_stop(job_class.checkpoint, StopCause::preempted)) {
            if (!saves_on_the_way(job_class.checkpoint)) // a move would lose all work
                return horizon_ms;
            margin_ms += plan_.interval_on(job_class, PoolId{attempt.pool});
        }
        const std::int64_t speed =
            job_class.speed_row == 0
                ? reference_speed
                : plan_.speed(job_class.speed_row, attempt.pool, attempt.level).speed;
        return ahead_from_ms(line_of(plan_, attempt.job),
                             done_ms(attempt.job, progress),
                             attempt.work_begin_ms,
                             speed,
                             margin_ms);
    }

    PlanView plan_;
    RunShapes shapes_;
    AttemptId* slot_of_{}; ///< by row of Plan::fallbacks; none: it waits, or is not submitted
    MinTree due_;          ///< when it falls back or may leave
    MinTree ready_;        ///< 0: it may leave
    BitTree* waiting_{};   ///< shapes of waiting jobs, and shapes of jobs without a fallback
    std::uint64_t num_changes_{};
};

}} // namespace bursar::sim
