#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "sim/engine/passes/allocator.hpp"

#include "policies/allocator/earliest_deadline.hpp"
#include "policies/allocator/elastic_decision.hpp"
#include "policies/allocator/free_ahead.hpp"

namespace bursar { inline namespace policies {

/// Plans over time for jobs with deadlines, each with the fewest GPUs that suffice, made one after
/// the other (ElasticFlow's minimum satisfactory share): from some time on a job has a number of
/// GPUs, or as many fewer as are left, and the next smaller number before. GPUs change at multiples
/// of a slot from now. A job that cannot meet its deadline has all that it can before it, and the
/// most GPUs afterwards.
///
/// The plans go by expected work and the speed of gangs as close together as they can be, and take
/// no account of failures or of what resizes cost. Times count from now, in ms.
class DeadlinePlans {
  public:
    /// places: of jobs in the view, in the order in which they are planned. view: outlives this.
    DeadlinePlans(const AllocationView& view,
                  std::int64_t slot_ms,
                  const std::vector<std::size_t>& places)
        : view_{&view}, slot_ms_{slot_ms}, decision_{view}, plans_(view.jobs.size()) {
        for (PoolId pool{0}; pool < view.pools.size(); ++pool)
            free_.emplace_back(view.pools[pool].usable_slots());
        for (std::size_t job = 0; job < view.jobs.size(); ++job)
            if (view.stays(view.jobs[job]) && !view.jobs[job].is_on_leaving)
                hold(job);
        for (const std::size_t job : places)
            if (!view.jobs[job].is_on_leaving)
                plan(job);
    }

    /// Whether a planned job meets its deadline.
    [[nodiscard]] bool is_met(std::size_t job) const { return plans_[job].is_met; }
    [[nodiscard]] std::size_t num_met() const {
        return static_cast<std::size_t>(std::ranges::count(plans_, true, &JobPlan::is_met));
    }

    /// Gives planned jobs more GPUs for the first slot, one step after the other, to the job that
    /// needs the least GPU time more until its end for each GPU; of equal ones the earlier job.
    void grow() {
        std::priority_queue<Step> steps;
        for (std::size_t job = 0; job < plans_.size(); ++job)
            push_step(job, steps);
        while (!steps.empty()) {
            const std::size_t job = steps.top().job;
            steps.pop();
            if (JobPlan more = grown(job); !more.shares.empty()) {
                put(plans_[job], 1);
                plans_[job] = std::move(more);
                put(plans_[job], -1);
                push_step(job, steps);
            }
        }
    }

    /// Gives other jobs, in that order, what is free now: each the number of GPUs that makes it
    /// fastest.
    void fill(const std::vector<std::size_t>& places) {
        for (const std::size_t job : places) {
            const AllocationJob& one = view_->jobs[job];
            if (!decision_.takes_part(one))
                continue;
            ElasticDecision::Given best;
            for (PoolId pool{0}; pool < free_.size(); ++pool)
                for (const ElasticDecision::Given& level : levels(one, pool))
                    if (level.slots <= free_[pool].now() &&
                        (level.speed > best.speed ||
                         (level.speed == best.speed && pool == one.pool)))
                        best = level;
            if (best.speed == 0)
                continue;
            plans_[job] = {best.pool, {{0, best}}, slot_ms_, 0, false};
            put(plans_[job], -1);
        }
    }

    void put_rows(std::vector<AllocationRow>& rows) {
        for (std::size_t job = 0; job < plans_.size(); ++job)
            if (decision_.takes_part(view_->jobs[job]) && !plans_[job].shares.empty())
                decision_.give(job, plans_[job].shares.front().level);
        decision_.put_rows(rows);
    }

    /// When GPUs are to change next; horizon_ms: never.
    [[nodiscard]] std::int64_t next_change_ms() const {
        std::int64_t next_ms = horizon_ms;
        for (const JobPlan& plan : plans_)
            if (plan.shares.size() > 1)
                next_ms = std::min(next_ms, plan.shares[1].begin_ms);
        return next_ms;
    }

  private:
    using Level = ElasticDecision::Given; ///< speed 0: no GPUs

    struct Share {
        std::int64_t begin_ms{};
        Level level;
    };
    struct JobPlan {
        PoolId pool{};
        std::vector<Share> shares; ///< empty: it has no plan
        std::int64_t release_ms{}; ///< end of the last share
        double gpu_ms{};           ///< slot time of all shares
        bool is_met{};
    };
    struct Step {
        double gain{}; ///< GPU time saved for each GPU more
        std::size_t job{};
        bool operator<(const Step& other) const {
            return gain != other.gain ? gain < other.gain : job > other.job;
        }
    };

    /// The numbers of GPUs of a job on a pool, fewest first, each of which makes it faster.
    [[nodiscard]] std::vector<Level> levels(const AllocationJob& job, PoolId pool) const {
        std::vector<Level> out;
        for (std::size_t form = 0; form < ElasticDecision::num_forms(job); ++form) {
            const Level level = decision_.in_form(job, form, pool);
            if (level.speed > (out.empty() ? 0.0 : out.back().speed))
                out.push_back(level);
        }
        return out;
    }
    /// The largest of the first `num` levels for which that many slots suffice; speed 0: none.
    static Level largest(const std::vector<Level>& levels, std::size_t num, std::int64_t slots) {
        Level out;
        for (std::size_t i = 0; i < num && levels[i].slots <= slots; ++i)
            out = levels[i];
        return out;
    }
    [[nodiscard]] std::int64_t aligned(double time_ms) const {
        const double slots = std::ceil(time_ms / static_cast<double>(slot_ms_));
        const double most = static_cast<double>(horizon_ms / slot_ms_);
        return static_cast<std::int64_t>(std::min(slots, most)) * slot_ms_;
    }
    /// Time until a job's work must end.
    [[nodiscard]] std::int64_t time_left_ms(const AllocationJob& job) const {
        const PlanClass& own = view_->plan.classes[view_->plan.job_class[job.job]];
        std::int64_t left_ms = due_ms(*view_, job) - view_->now_ms - own.teardown.count();
        if (job.pool == view_->plan.num_pools)
            left_ms -= (job.attained_ms > 0 ? own.recovery : own.startup).count();
        return std::max<std::int64_t>(left_ms, 0);
    }

    /// Takes (sign -1) or returns the slots of a plan.
    void put(const JobPlan& plan, std::int64_t sign) {
        for (std::size_t i = 0; i < plan.shares.size(); ++i) {
            const bool is_last = i + 1 == plan.shares.size();
            const std::int64_t end_ms = is_last ? plan.release_ms : plan.shares[i + 1].begin_ms;
            if (plan.shares[i].level.speed > 0 && end_ms > plan.shares[i].begin_ms)
                free_[plan.pool].add(
                    plan.shares[i].begin_ms, end_ms, sign * plan.shares[i].level.slots);
        }
    }

    /// A job that must not be stopped keeps its GPUs for a slot.
    void hold(std::size_t job) {
        const AllocationJob& one = view_->jobs[job];
        plans_[job] = {one.pool, {{0, held(one)}}, slot_ms_, 0, false};
        put(plans_[job], -1);
    }
    [[nodiscard]] Level held(const AllocationJob& job) const {
        for (std::size_t form = 0; form < ElasticDecision::num_forms(job); ++form)
            if (const Level level = decision_.in_form(job, form, job.pool);
                level.slots == job.slots)
                return level;
        return {job.pool, 0, 0, job.slots, view_->speed(job, job.pool)};
    }

    /// Plans a job on the pool where it meets its deadline with the least GPU time, where it works
    /// already if it meets it there.
    void plan(std::size_t job) {
        const AllocationJob& one = view_->jobs[job];
        std::optional<Level> first;
        if (one.is_saving)
            first = Level{};
        else if (view_->stays(one))
            first = held(one);
        put(plans_[job], 1);
        JobPlan best;
        for (PoolId pool{0}; pool < free_.size(); ++pool) {
            if (first && first->speed > 0 && pool != one.pool)
                continue;
            JobPlan here = on(one, pool, first);
            if (!here.shares.empty() && (best.shares.empty() || is_better(one, here, best)))
                best = std::move(here);
        }
        plans_[job] = std::move(best);
        put(plans_[job], -1);
    }
    static bool is_better(const AllocationJob& job, const JobPlan& here, const JobPlan& than) {
        if (here.is_met != than.is_met)
            return here.is_met;
        if ((here.pool == job.pool) != (than.pool == job.pool))
            return here.pool == job.pool;
        return here.gpu_ms < than.gpu_ms;
    }

    /// A plan on a pool, in what is free there; first: given for the first slot. Without shares if
    /// the job can't be there.
    [[nodiscard]] JobPlan
    on(const AllocationJob& job, PoolId pool, const std::optional<Level>& first) const {
        JobPlan plan{pool, {}, 0, 0, false};
        const std::vector<Level> all = levels(job, pool);
        if (all.empty())
            return plan;
        const std::int64_t due = time_left_ms(job);
        const std::int64_t aligned_due = aligned(static_cast<double>(due));
        FreeAhead free = free_[pool];
        free.split(aligned_due);
        const std::size_t begin = first ? free.split(slot_ms_) : 0;
        const std::vector<FreeAhead::Step>& steps = free.steps();
        const auto span =
            [&](std::size_t at) { // of time until the deadline, or until the step ends
                std::int64_t end = at + 1 < steps.size() ? steps[at + 1].begin_ms : horizon_ms;
                if (end == aligned_due)
                    end = due;
                return static_cast<double>(std::max<std::int64_t>(end - steps[at].begin_ms, 0));
            };
        auto left = static_cast<double>(job.work_left_ms);
        const auto end_in = [&](std::size_t at, const Level& level) {
            if (level.speed == 0 || level.speed * span(at) < left)
                return false;
            const double end = static_cast<double>(steps[at].begin_ms) + left / level.speed;
            plan.release_ms = std::max(aligned(end), steps[at].begin_ms + 1);
            plan.is_met = std::ceil(end) <= static_cast<double>(due);
            return true;
        };
        bool has_ended = false;
        const auto add = [&](std::size_t at, const Level& level) {
            if (plan.shares.empty() || plan.shares.back().level.slots != level.slots)
                plan.shares.push_back({steps[at].begin_ms, level});
            has_ended = end_in(at, level);
            left -= has_ended ? left : level.speed * span(at);
        };
        for (std::size_t at = 0; at < begin && !has_ended; ++at)
            add(at, *first);
        if (!has_ended) {
            const auto [num, point] = fewest(all, steps, begin, aligned_due, left, span);
            for (std::size_t at = begin; at < steps.size() && !has_ended; ++at) {
                const bool is_late = steps[at].begin_ms >= aligned_due;
                const std::size_t allowed = is_late ? all.size() : at < point ? num - 1 : num;
                add(at, largest(all, allowed, steps[at].slots));
            }
        }
        if (!has_ended)
            return {pool, {}, 0, 0, false}; // the pool is never free enough
        for (std::size_t i = 0; i < plan.shares.size(); ++i)
            plan.gpu_ms +=
                static_cast<double>(plan.shares[i].level.slots) *
                static_cast<double>(
                    (i + 1 < plan.shares.size() ? plan.shares[i + 1].begin_ms : plan.release_ms) -
                    plan.shares[i].begin_ms);
        return plan;
    }

    /// How many of the levels suffice for the work left before the deadline, and from which step
    /// on; before it one fewer. All of them at every step if they do not.
    template <class Span>
    static std::pair<std::size_t, std::size_t> fewest(const std::vector<Level>& all,
                                                      const std::vector<FreeAhead::Step>& steps,
                                                      std::size_t begin,
                                                      std::int64_t aligned_due,
                                                      double left,
                                                      const Span& span) {
        for (std::size_t num = 1; num <= all.size(); ++num) {
            double done = 0;
            for (std::size_t at = steps.size(); at-- > begin;) {
                if (steps[at].begin_ms >= aligned_due)
                    continue;
                done += largest(all, num, steps[at].slots).speed * span(at);
                if (done >= left)
                    return {num, at};
            }
        }
        return {all.size(), begin};
    }

    /// The plan of a job with the next larger number of GPUs in the first slot; no shares: there is
    /// none, or too little is free.
    [[nodiscard]] JobPlan grown(std::size_t job) {
        const AllocationJob& one = view_->jobs[job];
        const JobPlan& now = plans_[job];
        if (now.shares.empty() || !decision_.takes_part(one))
            return {};
        const Level& first = now.shares.front().level;
        const std::vector<Level> all = levels(one, now.pool);
        const auto next = std::ranges::upper_bound(all, first.slots, {}, &Level::slots);
        if (next == all.end() || next->slots - first.slots > free_[now.pool].now())
            return {};
        put(now, 1);
        JobPlan more = on(one, now.pool, *next);
        put(now, -1);
        return more;
    }
    void push_step(std::size_t job, std::priority_queue<Step>& steps) {
        const JobPlan more = grown(job);
        if (more.shares.empty())
            return;
        const auto added = static_cast<double>(more.shares.front().level.slots -
                                               plans_[job].shares.front().level.slots);
        steps.push({(plans_[job].gpu_ms - more.gpu_ms) / added, job});
    }

    const AllocationView* view_;
    std::int64_t slot_ms_;
    ElasticDecision decision_;
    std::vector<FreeAhead> free_; ///< by pool
    std::vector<JobPlan> plans_;  ///< by place of the job in the view
};

}} // namespace bursar::policies
