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
#include "sim/plan/run_plan.hpp"

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

/// The uniform pace: the work due grows in proportion to the time since the job is eligible, up to
/// the deadline.
struct UniformLine {
    std::int64_t since_ms{};
    std::int64_t work_ms{}; ///< of the whole job
    std::int64_t span_ms{}; ///< from then to the deadline
};
[[nodiscard]] BURSAR_HD inline UniformLine line_of(const RunPlan& plan, JobId job) {
    return {
        plan.since_ms[job], plan.believed_work_ms(job), plan.deadline_ms[job] - plan.since_ms[job]};
}

/// The first instant at which a job with `done_ms` of work done, and no more, is behind the pace.
[[nodiscard]] BURSAR_HD inline std::int64_t behind_from_ms(const UniformLine& line,
                                                           std::int64_t done_ms) {
    if (line.work_ms == 0 || done_ms >= line.work_ms)
        return horizon_ms;
    const int128 until = int128{done_ms} * line.span_ms / line.work_ms;
    return line.since_ms + static_cast<std::int64_t>(until) + 1;
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
    const int128 missing = (int128{line.work_ms} * (begin_ms + margin_ms - line.since_ms) -
                            int128{line.span_ms} * done_ms) *
                           reference_speed;
    if (missing <= 0)
        return begin_ms;
    if (gained <= 0)
        return horizon_ms;
    const int128 wait = (missing + gained - 1) / gained;
    return wait < horizon_ms - begin_ms ? begin_ms + static_cast<std::int64_t>(wait) : horizon_ms;
}

/// Claims of waiting jobs that have fallen back, on the nodes that are launched for them. A claim
/// lasts for the longest boot of the job's late pools. Meanwhile jobs whose claims end later may
/// not use these pools: a job that falls back later, and is before it in the queue, would take its
/// node and leave it the later one.
///
/// Rows are those of Plan::fallbacks. Memory: 9 bytes per row, and 8 per pool.
class FallbackClaims {
  public:
    FallbackClaims() = default;
    BURSAR_HD FallbackClaims(ArenaCarver& carver, const PlanView& plan)
        : fallbacks_{plan.fallbacks}, num_pools_{plan.num_pools}, ends_{carver, plan.num_fallbacks},
          first_end_{carver.take<std::int64_t>(plan.num_pools)} {}

    BURSAR_HD void clear() {
        ends_.clear();
        has_ended_ = false;
        some_are_barred_ = false;
        find_first_ends();
    }

    /// When the next claim ends; MinTree::absent: there is none.
    [[nodiscard]] BURSAR_HD std::int64_t next_ms() const { return ends_.least(); }
    /// Whether a claim bars jobs from pools.
    [[nodiscard]] BURSAR_HD bool some_are_barred() const { return some_are_barred_; }

    /// The late pools that no earlier claim bars.
    [[nodiscard]] BURSAR_HD std::uint64_t open_pools(std::uint32_t row) const {
        std::uint64_t pools = fallbacks_[row].late_pools;
        for (PoolId pool{0}; pool < num_pools_ && ends_[row] != MinTree::absent; ++pool)
            if (first_end_[pool] < ends_[row])
                pools &= ~(std::uint64_t{1} << pool);
        return pools;
    }

    /// Returns whether it bars jobs with other claims.
    BURSAR_HD bool add(std::uint32_t row, std::int64_t end_ms) {
        ends_.set(row, end_ms);
        bool bars_others = false;
        for (PoolId pool{0}; pool < num_pools_; ++pool) {
            if ((fallbacks_[row].late_pools >> pool & 1U) == 0 || first_end_[pool] <= end_ms)
                continue;
            bars_others |= first_end_[pool] != MinTree::absent;
            first_end_[pool] = end_ms;
        }
        some_are_barred_ |= bars_others || open_pools(row) != fallbacks_[row].late_pools;
        return bars_others;
    }
    BURSAR_HD void remove(std::uint32_t row) {
        has_ended_ |= ends_[row] != MinTree::absent;
        ends_.set(row, MinTree::absent);
    }

    /// Removes claims that end at `now_ms`. Returns whether jobs may use more pools now, after
    /// calls of `set(job, pools)`.
    template <class Set>
    BURSAR_HD bool end(std::int64_t now_ms, const Set& set) {
        while (ends_.least() <= now_ms)
            remove(ends_.first_at_most(0, now_ms));
        if (!has_ended_)
            return false;
        has_ended_ = false;
        find_first_ends();
        if (!some_are_barred_)
            return false;
        renew(set);
        return true;
    }

    /// Calls `set(job, pools)` for every claim, with the pools that no earlier claim bars.
    template <class Set>
    BURSAR_HD void renew(const Set& set) {
        some_are_barred_ = false;
        for_each_row([&](std::uint32_t row) {
            const std::uint64_t pools = open_pools(row);
            some_are_barred_ |= pools != fallbacks_[row].late_pools;
            set(fallbacks_[row].job, pools);
        });
    }
    /// Calls `act(row)` for every claim.
    template <class Act>
    BURSAR_HD void for_each_row(const Act& act) const {
        for (std::uint32_t row = ends_.first_at_most(0, horizon_ms); row != MinTree::none;
             row = ends_.first_at_most(row + 1, horizon_ms))
            act(row);
    }

  private:
    BURSAR_HD void find_first_ends() {
        for (PoolId pool{0}; pool < num_pools_; ++pool)
            first_end_[pool] = MinTree::absent;
        for_each_row([&](std::uint32_t row) {
            for (PoolId pool{0}; pool < num_pools_; ++pool)
                if ((fallbacks_[row].late_pools >> pool & 1U) != 0 && ends_[row] < first_end_[pool])
                    first_end_[pool] = ends_[row];
        });
    }

    const JobFallback* fallbacks_{};
    std::uint32_t num_pools_{};
    MinTree ends_;              ///< by row, in ms
    std::int64_t* first_end_{}; ///< by pool: the first end of its claims, in ms
    bool has_ended_{};          ///< a claim, since first_end_ was computed
    bool some_are_barred_{};
};

/// The state of jobs with a fallback (JobFallback). Each has its own shape, and the pools it may
/// use are stored in the run's copy of it (RunShapes). So other decisions need not know deadlines.
///
/// There are as many shapes as such jobs. So the shapes of waiting jobs are kept as a set, and
/// walks over waiting jobs skip the others.
///
/// Memory: 37 bytes per job with a fallback, 8 per pool, and a bit per shape.
class Fallbacks {
  public:
    Fallbacks() = default;
    /// has_claims: no head blocks others. It would also block jobs with an earlier claim.
    BURSAR_HD
    Fallbacks(ArenaCarver& carver, const RunPlan& plan, const RunShapes& shapes, bool has_claims)
        : plan_{plan}, shapes_{shapes}, has_claims_{has_claims} {
        if (plan.num_fallbacks == 0)
            return;
        slot_of_ = carver.take<AttemptId>(plan.num_fallbacks);
        due_ = MinTree{carver, plan.num_fallbacks};
        ready_ = MinTree{carver, plan.num_fallbacks};
        claims_ = FallbackClaims{carver, plan};
        waiting_ = carver.take<BitTree>(1);
        const BitTree waiting{carver, plan.num_shapes};
        if (waiting_ != nullptr)
            *waiting_ = waiting;
    }

    BURSAR_HD void clear() {
        due_.clear();
        ready_.clear();
        claims_.clear();
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

    /// When a job next must fall back, or may leave its fallback, or a claim ends; horizon_ms:
    /// never.
    [[nodiscard]] BURSAR_HD std::int64_t next_ms() const {
        const std::int64_t claim_ms = claims_.next_ms();
        const std::int64_t first_ms = due_.least() < claim_ms ? due_.least() : claim_ms;
        return first_ms < horizon_ms ? first_ms : horizon_ms;
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
        if (is_late)
            fall_back(row, now_ms);
        else
            may_use(job, own.early_pools);
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
        claims_.remove(row);
        std::int64_t ahead_ms = horizon_ms;
        if (plan_.keeps_pace && (own.late_pools >> attempt.pool & 1U) != 0)
            ahead_ms = ahead_ms_of(attempt, progress);
        due_.set(row, ahead_ms < work_end_ms ? ahead_ms : MinTree::absent);
    }

    /// A waiting job is dropped.
    [[gnu::noinline, gnu::cold]] BURSAR_HD void dropped(JobId job) {
        const std::uint32_t row = row_of(job);
        if (row == none)
            return;
        waiting_->erase(plan_.shape[job]);
        claims_.remove(row);
        due_.set(row, MinTree::absent);
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
            if (waits) {
                fall_back(row, now_ms);
            } else {
                may_use(own.job, own.early_pools);
                ready_.set(row, 0);
            }
            some_fell_back |= waits;
            ++num_changes_;
        }
        return some_fell_back;
    }

    /// Ends the claims of this instant after its pass. Returns whether waiting jobs may use more
    /// pools now.
    BURSAR_HD bool end_claims(std::int64_t now_ms) {
        return claims_.end(now_ms, [&](JobId job, std::uint64_t pools) { may_use(job, pools); });
    }
    /// Lets jobs use all their late pools in spite of claims, to measure demand; then undoes it.
    BURSAR_HD void ignore_claims(bool ignores) {
        if (!claims_.some_are_barred())
            return;
        claims_.for_each_row([&](std::uint32_t row) {
            const JobFallback& own = plan_.fallbacks[row];
            may_use(own.job, ignores ? own.late_pools : claims_.open_pools(row));
        });
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
    /// A waiting job may use its late pools from now on.
    BURSAR_HD void fall_back(std::uint32_t row, std::int64_t now_ms) {
        const JobFallback& own = plan_.fallbacks[row];
        if (!has_claims_)
            return may_use(own.job, own.late_pools);
        const auto set = [&](JobId job, std::uint64_t pools) { may_use(job, pools); };
        if (claims_.add(row, now_ms + own.boot_ms))
            claims_.renew(set);
        else
            set(own.job, claims_.open_pools(row));
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

    RunPlan plan_;
    RunShapes shapes_;
    AttemptId* slot_of_{}; ///< by row of Plan::fallbacks; none: it waits, or is not submitted
    MinTree due_;          ///< when it falls back or may leave
    MinTree ready_;        ///< 0: it may leave
    FallbackClaims claims_;
    bool has_claims_{};
    BitTree* waiting_{}; ///< shapes of waiting jobs, and shapes of jobs without a fallback
    std::uint64_t num_changes_{};
};

}} // namespace bursar::sim
