#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"
#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/queues/group_lengths.hpp"
#include "sim/engine/queues/queue_order.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/engine/queues/ratio_contests.hpp"
#include "sim/engine/queues/ratio_entry.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The queue of a policy that serves the job with the largest (elapsed + remaining) / (run *
/// stretch), ties by submit order. The stretch is equal for all jobs of one shape and weight and
/// changes with the jobs in the system. Claims grow with time; inside a group a kinetic tournament
/// tracks them. Groups may have levels: of each shape only those of the best level are compared.
/// Leaders of groups are compared at each query, first approximately, then exactly if more than one
/// is left.
///
/// Order: `stretch(shape, weight, weight_in_system, totals) -> uint64`, >= 1, below 2^36;
/// `fair_weight(shape, weight, totals)` and `rough_speed(fair_weight, 1 / weight_in_system)`, in
/// floating point: 2^16 / stretch with a relative error below 2^-15.
template <class RatioOrder>
class RatioQueue {
    static_assert(QueueOrder<RatioOrder>,
                  "not a QueueOrder: see \"A queue order\" in sim/engine/README.md");

  public:
    static constexpr QueueMembers has{.start = true,
                                      .head = true,
                                      .first_where = true,
                                      .num_pending = true,
                                      .released = true,
                                      .give_back = true,
                                      .next_change_ms = true,
                                      .come_back = true};

    using Order = RatioOrder;
    using Entry = RatioEntry;
    using Asked = AskedGroup;

    RatioQueue() = default;
    BURSAR_HD
    RatioQueue(ArenaCarver& carver,
               const RunPlan& plan,
               const CarriedJobs& carried,
               const JobOrderView& jobs,
               Order order)
        : plan_{plan}, jobs_{jobs}, order_{order}, totals_{fleet_totals(plan)},
          contests_{carver, plan, carried, jobs.groups, jobs.num_groups, jobs.job_at},
          lengths_{carver, plan, jobs}, pending_{carver, jobs.num_groups},
          front_{carver.take<ShapeFront>(plan.num_shapes)},
          count_{carver.take<std::uint32_t>(plan.num_shapes)},
          in_group_{carver.take<std::uint32_t>(jobs.num_groups)},
          asked_{carver.take<Asked>(jobs.num_groups)},
          place_{carver.take<std::uint32_t>(jobs.num_groups)} {}

    BURSAR_HD void clear() {
        contests_.clear();
        lengths_.clear();
        pending_.clear();
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape) {
            front_[shape] = {};
            count_[shape] = 0;
        }
        for (std::uint32_t group = 0; group < jobs_.num_groups; ++group) {
            in_group_[group] = 0;
            place_[group] = not_asked;
        }
        num_asked_ = 0;
        num_jobs_ = num_apart_ = 0;
        weight_in_system_ = 0;
        now_ms_ = 0;
        certain_until_ms_ = horizon_ms;
    }

    /// Sets the time; call before any event of that instant.
    BURSAR_HD void advance(std::int64_t now_ms) {
        now_ms_ = now_ms;
        if (now_ms < certain_until_ms_)
            return;
        certain_until_ms_ = horizon_ms;
        for (std::uint32_t i = 0; i < num_asked_; ++i) {
            contests_.advance(asked_[i].group, now_ms);
            read_leader(asked_[i]);
        }
    }

    BURSAR_HD void arrive(JobId job) {
        wait(job);
        if (jobs_.finds_short)
            lengths_.insert(job, progress_at_arrival(plan_, job));
    }
    /// A stopped job waits again; its claim follows from its progress.
    BURSAR_HD void come_back(const WaitingJob& job, const Progress& progress) {
        wait(job.job);
        lengths_.insert(job.job, progress);
    }
    /// Returns a job taken out by start(), as if it had not run.
    BURSAR_HD void give_back(const Candidate& job, const Progress& progress) {
        released(plan_.tenant_of(job.job), job.shape);
        wait(job.job);
        lengths_.insert(job.job, progress);
    }
    /// Never: there is room for all jobs of the plan.
    [[nodiscard]] BURSAR_HD static constexpr bool full() { return false; }
    /// Adds to the number of waiting jobs that a pass keeps apart, and that are not offered.
    BURSAR_HD void count_apart(int change) { num_apart_ += static_cast<std::uint32_t>(change); }

    /// Takes out a pending job that starts.
    BURSAR_HD void start(const Candidate& candidate) {
        const std::uint32_t group = jobs_.group_of[candidate.job];
        --num_jobs_;
        --count_[candidate.shape];
        lengths_.erase(candidate.job);
        contests_.erase(group, jobs_.position[candidate.job], now_ms_);
        if (--in_group_[group] == 0) {
            pending_.erase(group);
            if (place_[group] != not_asked) {
                forget(group);
                ask_front(candidate.shape);
            }
        } else if (place_[group] != not_asked) {
            read_leader(asked_[place_[group]]);
        }
    }

    /// Takes out any pending job, which does not start.
    BURSAR_HD void take_out(const Candidate& candidate) {
        start(candidate);
        released(plan_.tenant_of(candidate.job), candidate.shape);
    }

    /// A job of `tenant` no longer runs.
    BURSAR_HD void released(TenantId tenant, ShapeId) { weight_in_system_ -= plan_.weight(tenant); }

    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const { return num_jobs_ + num_apart_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_pending(ShapeId shape) const { return count_[shape]; }
    /// Its level, compared before its ratio, least first.
    [[nodiscard]] BURSAR_HD std::uint64_t level_of(JobId job) const {
        return jobs_.groups[jobs_.group_of[job]].level;
    }

    /// The first job in order, whether it fits or not.
    template <class Team>
    [[nodiscard]] BURSAR_HD Candidate head(const Team& team) const {
        return first_where(team, [](ShapeId) { return true; });
    }
    /// The first instant before `until_ms` at which another job becomes the head by time alone;
    /// horizon_ms: none. Advances contests to then, so no event may come before.
    template <class Team>
    [[nodiscard]] BURSAR_HD std::int64_t next_change_ms(const Team& team, std::int64_t until_ms) {
        const Entry head = first_entry(team, [](ShapeId) { return true; });
        team.once([&] { change_ms_ = overtaken_ms(head, until_ms); });
        return change_ms_ < until_ms ? change_ms_ : horizon_ms;
    }

    /// The first job in order whose shape passes `fits(shape)`.
    template <class Team, class Fits>
    [[nodiscard]] BURSAR_HD Candidate first_where(const Team& team, Fits fits) const {
        const Entry best = first_entry(team, fits);
        return {best.job, best.shape};
    }

    /// The first in order of the jobs that `pick(shape, job) -> job` returns for each shape with
    /// pending jobs, where `job` is the first of the shape; it may return no_job().
    template <class Team, class Pick>
    [[nodiscard]] BURSAR_HD auto first_picked(const Team& team, const Pick& pick) const {
        return team.minimum(
            plan_.num_shapes,
            [&](std::uint32_t i) {
                const ShapeId shape{i};
                if (count_[shape] == 0)
                    return Entry{};
                const Entry first = first_of(shape);
                const JobId job = pick(shape, first.job);
                if (job == Candidate::no_job() || job == first.job)
                    return job == first.job ? first : Entry{};
                return entry_of(jobs_.group_of[job], contests_.claim_of(job), job);
            },
            Entry{});
    }

    /// The first pending job of `shape` that releases GPUs of `pool` within `max_ms` on any of its
    /// nodes, or no_job().
    [[nodiscard]] BURSAR_HD JobId first_within(ShapeId shape,
                                               PoolId pool,
                                               std::int64_t max_ms,
                                               const CarriedJobs& carried) const {
        if (!lengths_.may_have(shape, max_ms))
            return Candidate::no_job();
        Entry best;
        std::uint32_t group = pending_.first_at_or_after(jobs_.shape_begin[shape]);
        for (; group < jobs_.shape_begin[shape + 1];
             group = pending_.first_at_or_after(group + 1)) {
            if (best.level < jobs_.groups[group].level)
                break;
            const auto leader =
                contests_.leader_among(group, now_ms_, [&](std::uint32_t begin, std::uint32_t end) {
                    return lengths_.first_within(group, begin, end, pool, max_ms, carried);
                });
            const Entry own =
                leader.is_none() ? Entry{} : entry_of(group, leader.claim, leader.job);
            best = own < best ? own : best;
        }
        return best.job;
    }

  private:
    static constexpr std::uint32_t not_asked = 0xffffffffU;

    template <class Team, class Fits>
    [[nodiscard]] BURSAR_HD Entry first_entry(const Team& team, const Fits& fits) const {
        if (num_asked_ == 0)
            return {};
        const double per_weight = 1.0 / static_cast<double>(weight_in_system_);
        const RoughRatio least = team.minimum(
            num_asked_,
            [&](std::uint32_t i) {
                return fits(asked_[i].shape) ? asked_[i].rough(order_, now_ms_, per_weight)
                                             : RoughRatio{};
            },
            RoughRatio{});
        return team.minimum(
            num_asked_,
            [&](std::uint32_t i) {
                return least.is_close(asked_[i].rough(order_, now_ms_, per_weight)) &&
                               fits(asked_[i].shape)
                           ? entry_of(asked_[i])
                           : Entry{};
            },
            Entry{});
    }
    /// When another job overtakes the head, if that is before `until_ms`; otherwise `until_ms`.
    BURSAR_HD std::int64_t overtaken_ms(const Entry& head, std::int64_t until_ms) {
        std::int64_t next_ms = overtaken_by_leaders_ms(head, until_ms);
        // Leaders of groups may change before that, and overtake the head at once or later.
        while (certain_until_ms_ < next_ms) {
            const std::int64_t at_ms = certain_until_ms_;
            certain_until_ms_ = horizon_ms;
            for (std::uint32_t i = 0; i < num_asked_; ++i) {
                Asked& asked = asked_[i];
                const JobId led = asked.job;
                contests_.advance(asked.group, at_ms);
                read_leader(asked);
                if (asked.job == led || asked.level != head.level)
                    continue;
                const std::int64_t own_ms =
                    led == head.job ? at_ms : overtakes_at(entry_of(asked), head, now_ms_);
                next_ms = own_ms < next_ms ? own_ms : next_ms;
            }
        }
        return next_ms;
    }
    /// When the current leader of another group overtakes the head.
    [[nodiscard]] BURSAR_HD std::int64_t overtaken_by_leaders_ms(const Entry& head,
                                                                 std::int64_t until_ms) const {
        if (num_asked_ < 2)
            return until_ms;
        const Asked& own = asked_[place_[jobs_.group_of[head.job]]];
        const double per_weight = 1.0 / static_cast<double>(weight_in_system_);
        const RoughRatio later = own.rough(order_, until_ms, per_weight);
        std::int64_t next_ms = until_ms;
        for (std::uint32_t i = 0; i < num_asked_; ++i) {
            // Leaders that are not close stay behind until the next event.
            if (asked_[i].group == own.group ||
                !later.is_close(asked_[i].rough(order_, until_ms, per_weight)))
                continue;
            const std::int64_t at_ms = overtakes_at(entry_of(asked_[i]), head, now_ms_);
            next_ms = at_ms < next_ms ? at_ms : next_ms;
        }
        return next_ms;
    }
    [[nodiscard]] BURSAR_HD Entry entry_of(const Asked& asked) const {
        return entry_of(asked.group, asked.claim, asked.job);
    }
    [[nodiscard]] BURSAR_HD Entry entry_of(std::uint32_t group,
                                           const Claim& claim,
                                           JobId job) const {
        const JobGroup& own = jobs_.groups[group];
        const std::uint64_t stretch =
            order_.stretch(plan_.shapes[own.shape], own.merit, weight_in_system_, totals_);
        return {claim.time_ms(now_ms_),
                uint128{stretch} * static_cast<std::uint64_t>(claim.run_ms),
                job,
                own.level,
                ShapeId{own.shape}};
    }
    /// The first job of a shape with pending jobs.
    [[nodiscard]] BURSAR_HD Entry first_of(ShapeId shape) const {
        Entry best;
        for_each_of_level(shape, front_[shape].level, [&](std::uint32_t group) {
            const Entry own = entry_of(asked_[place_[group]]);
            best = own < best ? own : best;
        });
        return best;
    }

    BURSAR_HD void wait(JobId job) {
        const std::uint32_t group = jobs_.group_of[job];
        weight_in_system_ += plan_.weight(plan_.tenant_of(job));
        ++num_jobs_;
        ++count_[jobs_.groups[group].shape];
        contests_.insert(group, jobs_.position[job], now_ms_);
        if (in_group_[group]++ == 0) {
            pending_.insert(group);
            come_forward(group);
        } else if (place_[group] != not_asked) {
            read_leader(asked_[place_[group]]);
        }
    }

    /// Adds a group that has got a pending job.
    BURSAR_HD void come_forward(std::uint32_t group) {
        const JobGroup& own = jobs_.groups[group];
        const ShapeFront& front = front_[own.shape];
        if (front.num_groups == 0 || own.level == front.level) {
            ask(group);
        } else if (own.level < front.level) {
            for_each_of_level(own.shape, front.level, [&](std::uint32_t g) { forget(g); });
            ask(group);
        }
    }
    /// Removes a group of a shape's best level that has no pending jobs left.
    BURSAR_HD void ask_front(ShapeId shape) {
        if (front_[shape].num_groups > 0 || count_[shape] == 0)
            return;
        const std::uint32_t first = pending_.first_at_or_after(jobs_.shape_begin[shape]);
        for_each_of_level(shape, jobs_.groups[first].level, [&](std::uint32_t g) { ask(g); });
    }
    /// Calls `act(group)` for the groups of a shape and level that have pending jobs; groups are
    /// sorted by shape, then level. Precondition: level is the shape's best, or was before a group
    /// was added.
    template <class Act>
    BURSAR_HD void for_each_of_level(ShapeId shape, std::uint32_t level, const Act& act) const {
        std::uint32_t group = pending_.first_at_or_after(jobs_.shape_begin[shape]);
        for (; group < jobs_.shape_begin[shape + 1];
             group = pending_.first_at_or_after(group + 1)) {
            if (jobs_.groups[group].level == level)
                act(group);
            else if (jobs_.groups[group].level > level)
                return;
        }
    }

    BURSAR_HD void ask(std::uint32_t group) {
        const JobGroup& own = jobs_.groups[group];
        place_[group] = num_asked_;
        const double fair_weight = order_.fair_weight(plan_.shapes[own.shape], own.merit, totals_);
        asked_[num_asked_] = Asked{group, own, fair_weight};
        front_[own.shape].level = own.level;
        ++front_[own.shape].num_groups;
        contests_.advance(group, now_ms_); // it may be out of date
        read_leader(asked_[num_asked_++]);
    }
    BURSAR_HD void forget(std::uint32_t group) {
        const Asked last = asked_[--num_asked_];
        asked_[place_[group]] = last;
        place_[last.group] = place_[group];
        place_[group] = not_asked;
        --front_[jobs_.groups[group].shape].num_groups;
    }
    BURSAR_HD void read_leader(Asked& asked) {
        const RatioContests::Leader leader = contests_.leader(asked.group);
        if (leader.until_ms < certain_until_ms_)
            certain_until_ms_ = leader.until_ms;
        if (leader.job != asked.job)
            asked.lead(leader.job, leader.claim);
    }

    RunPlan plan_;
    JobOrderView jobs_;
    Order order_;
    FleetTotals totals_;
    RatioContests contests_;
    GroupLengths lengths_;
    BitTree pending_;           ///< groups with pending jobs
    ShapeFront* front_{};       ///< by shape
    std::uint32_t* count_{};    ///< shape -> its pending jobs
    std::uint32_t* in_group_{}; ///< group -> its pending jobs
    Asked* asked_{};            ///< in no order
    std::uint32_t* place_{};    ///< group -> its place in asked_, or not_asked
    std::uint32_t num_asked_{};
    std::uint32_t num_jobs_{};
    std::uint32_t num_apart_{};
    std::uint64_t weight_in_system_{}; ///< of all waiting and running jobs
    std::int64_t now_ms_{};
    std::int64_t certain_until_ms_{horizon_ms}; ///< no group changes its leader before this
    std::int64_t change_ms_{};                  ///< last result of next_change_ms()
};

}} // namespace bursar::sim
