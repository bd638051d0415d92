#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"
#include "sim/arena/prefetch.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/queues/group_lengths.hpp"
#include "sim/engine/queues/queue_order.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/engine/queues/tournament.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The queue of a policy whose order depends on what tenants hold or held: ranks change when jobs
/// start and end, and as past use decays.
///
/// Jobs of one group (job_groups.hpp) are served by submit order; only the first pending one of
/// each has a rank. A start or an end makes its tenant's groups stale, the end of a period all;
/// they are ranked again at the next query, log(groups) each. The first of all and the first of a
/// shape are separate queries, and a run pays only for those it uses. The cost of an arrival does
/// not grow with the queue.
///
/// If groups have levels, the level is compared before the rank; a group that is alone at its level
/// needs no rank.
///
/// Order: `memory() -> UseMemory`; `share(use, weight, totals) -> uint64`, a tenant's part of a
/// rank; `rank(share, merit, age_ms) -> uint64`, least first; `reads_ages()`: false if ages may be
/// 0. Ages count up to the end of the last period, so that ranks change only then and when use
/// changes.
template <class TenantOrder>
class TenantQueue {
    static_assert(TenantRanking<TenantOrder>,
                  "not a TenantRanking: see \"A queue order\" in sim/engine/README.md");
    using Entry = Tournament::Entry;

  public:
    static constexpr QueueMembers has{.start = true,
                                      .head = true,
                                      .first_where = true,
                                      .num_pending = true,
                                      .released = true,
                                      .give_back = true,
                                      .next_change_ms = true,
                                      .come_back = true};

    using Order = TenantOrder;

    /// A pending job with its rank; by default none, which comes last.
    struct Head {
        Tournament::Entry entry{};
        JobId job{Candidate::no_job()};
        ShapeId shape{};
        friend BURSAR_HD bool operator<(const Head& a, const Head& b) { return a.entry < b.entry; }
    };

    TenantQueue() = default;
    BURSAR_HD
    TenantQueue(ArenaCarver& carver, const RunPlan& plan, const JobOrderView& jobs, Order order)
        : plan_{plan}, jobs_{jobs}, order_{order}, totals_{fleet_totals(plan)},
          uses_{carver, plan.num_tenants, order.memory()},
          tenants_{carver.take<Tenant>(plan.num_tenants)}, pending_{carver, plan.num_jobs},
          firsts_{carver.take<First>(jobs.num_groups)}, ranks_{carver, jobs.num_groups},
          stale_{carver, plan.num_tenants}, shape_ranks_{carver.take<Tournament>(plan.num_shapes)},
          shape_stale_{carver, plan.num_tenants}, lengths_{carver, plan, jobs},
          count_{carver.take<std::uint32_t>(plan.num_shapes)},
          asked_{carver.take<ShapeId>(plan.num_shapes)},
          place_{carver.take<std::uint32_t>(plan.num_shapes)} {
        for (ShapeId shape{0}; shape < plan.num_shapes; ++shape) {
            const Tournament ranks{carver, jobs.shape_begin[shape + 1] - jobs.shape_begin[shape]};
            if (shape_ranks_ != nullptr)
                shape_ranks_[shape] = ranks;
        }
    }

    BURSAR_HD void clear() {
        uses_.clear();
        for (TenantId tenant{0}; tenant < plan_.num_tenants; ++tenant)
            tenants_[tenant] = {};
        pending_.clear();
        for (std::uint32_t group = 0; group < jobs_.num_groups; ++group)
            firsts_[group] = {};
        ranks_.clear();
        stale_.clear();
        shape_stale_.clear();
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape) {
            shape_ranks_[shape].clear();
            count_[shape] = 0;
        }
        lengths_.clear();
        num_asked_ = 0;
        num_jobs_ = num_apart_ = 0;
    }

    /// Sets the time; call before any event of that instant.
    BURSAR_HD void advance(std::int64_t now_ms) {
        if (!order_.follows_time() || !uses_.advance(now_ms))
            return;
        for (TenantId tenant{0}; tenant < plan_.num_tenants; ++tenant) // ages have changed
            rank_anew(tenant);
    }

    BURSAR_HD void arrive(JobId job) {
        wait(job);
        if (jobs_.finds_short)
            lengths_.insert(job, progress_at_arrival(plan_, job));
    }
    /// A job that was stopped waits again, at its place in its group.
    BURSAR_HD void come_back(const WaitingJob& job, const Progress& progress) {
        wait(job.job);
        lengths_.insert(job.job, progress);
    }
    /// Returns a job taken out by start(), as if it had not run.
    BURSAR_HD void give_back(const Candidate& job, const Progress& progress) {
        released(jobs_.groups[jobs_.group_of[job.job]].tenant, job.shape);
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
        const std::uint32_t position = jobs_.position[candidate.job];
        pending_.erase(position);
        lengths_.erase(candidate.job);
        --num_jobs_;
        if (--count_[candidate.shape] == 0) {
            const ShapeId last = asked_[--num_asked_];
            asked_[place_[candidate.shape]] = last;
            place_[last] = place_[candidate.shape];
        }
        const TenantId tenant = jobs_.groups[group].tenant;
        --tenants_[tenant].num_pending;
        uses_.add(tenant, plan_.shapes[candidate.shape]);
        follow_use(tenant);
        if (position != firsts_[group].position)
            return;
        const std::uint32_t next = pending_.first_at_or_after(position + 1);
        set_first(group, next < end_of(group) ? next : BitTree::none); // none is past any end
    }

    /// Takes out any pending job, which does not start.
    BURSAR_HD void take_out(const Candidate& candidate) {
        const TenantId tenant{jobs_.groups[jobs_.group_of[candidate.job]].tenant};
        start(candidate);
        released(tenant, candidate.shape);
    }

    /// A job of `tenant` no longer runs.
    BURSAR_HD void released(TenantId tenant, ShapeId shape) {
        uses_.remove(tenant, plan_.shapes[shape]);
        follow_use(tenant);
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const { return num_jobs_ + num_apart_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_pending(ShapeId shape) const { return count_[shape]; }
    /// Its level, compared before its tenant's rank, least first.
    [[nodiscard]] BURSAR_HD std::uint64_t level_of(JobId job) const {
        return jobs_.groups[jobs_.group_of[job]].level;
    }

    /// The first job in order, whether it fits or not.
    template <class Team>
    [[nodiscard]] BURSAR_HD Candidate head(const Team& team) const {
        if (num_jobs_ == 0)
            return {};
        team.once([&] { rank_stale(); });
        const JobId job = ranks_.first().job();
        return {job, plan_.shape_of(job)};
    }

    /// When ranks change by time alone: at the end of the period, if the order follows time.
    /// horizon_ms: never.
    template <class Team>
    [[nodiscard]] BURSAR_HD std::int64_t next_change_ms(const Team&,
                                                        std::int64_t /*until_ms*/) const {
        return order_.follows_time() ? uses_.period_end_ms() : horizon_ms;
    }

    /// The first job in order whose shape passes `fits(shape)`.
    template <class Team, class Fits>
    [[nodiscard]] BURSAR_HD Candidate first_where(const Team& team, Fits fits) const {
        team.once([&] { rank_stale_of_shapes(); });
        const Entry best = team.minimum(
            num_asked_,
            [&](std::uint32_t i) {
                return fits(asked_[i]) ? shape_ranks_[asked_[i]].first() : Entry{};
            },
            Entry{});
        return best.is_none() ? Candidate{} : Candidate{best.job(), plan_.shape_of(best.job())};
    }

    /// The first in order of the jobs that `pick(shape, job) -> job` returns for each shape with
    /// pending jobs, where `job` is the first of the shape; it may return no_job().
    template <class Team, class Pick>
    [[nodiscard]] BURSAR_HD Head first_picked(const Team& team, const Pick& pick) const {
        team.once([&] { rank_stale_of_shapes(); });
        return team.minimum(
            num_asked_,
            [&](std::uint32_t i) {
                const ShapeId shape = asked_[i];
                const Entry& first = shape_ranks_[shape].first();
                const JobId job = pick(shape, first.job());
                if (job == Candidate::no_job())
                    return Head{};
                return Head{job == first.job() ? first : entry_of_job(job), job, shape};
            },
            Head{});
    }

    /// The first pending job of `shape` that releases GPUs of `pool` within `max_ms` on any of its
    /// nodes, or no_job(). Precondition: called from first_picked().
    [[nodiscard]] BURSAR_HD JobId first_within(ShapeId shape,
                                               PoolId pool,
                                               std::int64_t max_ms,
                                               const CarriedJobs& carried) const {
        if (!lengths_.may_have(shape, max_ms))
            return Candidate::no_job();
        // No job of a group comes before its first.
        Entry best;
        shape_ranks_[shape].look_before(
            [&] { return best; },
            [&](std::uint32_t, const Entry& first) {
                const std::uint32_t group = jobs_.group_of[first.job()];
                const JobId job = lengths_.first_within(
                    group, jobs_.position[first.job()], end_of(group), pool, max_ms, carried);
                const Entry own = job == Candidate::no_job() ? Entry{} : entry_of_job(job);
                best = own < best ? own : best;
            });
        return best.job();
    }

  private:
    struct Tenant {
        std::uint64_t share{};       ///< by Order::share()
        bool knows_share{};          ///< otherwise it is computed when needed
        std::uint32_t num_pending{}; ///< jobs
    };
    /// The first pending job of a group.
    struct First {
        std::int64_t since_ms{}; ///< used if the order reads ages
        std::uint32_t position{BitTree::none};
        JobId job{Candidate::no_job()};
    };

    BURSAR_HD void wait(JobId job) {
        const std::uint32_t group = jobs_.group_of[job];
        const std::uint32_t position = jobs_.position[job];
        const ShapeId shape = jobs_.groups[group].shape;
        pending_.insert(position);
        ++num_jobs_;
        ++tenants_[jobs_.groups[group].tenant].num_pending;
        if (count_[shape]++ == 0) {
            place_[shape] = num_asked_;
            asked_[num_asked_++] = shape;
        }
        if (position < firsts_[group].position)
            set_first(group, position);
    }

    [[nodiscard]] BURSAR_HD std::uint32_t end_of(std::uint32_t group) const {
        return group + 1 < jobs_.num_groups ? jobs_.groups[group + 1].begin : plan_.num_jobs;
    }

    BURSAR_HD std::uint64_t share_of(TenantId tenant) const {
        Tenant& own = tenants_[tenant];
        if (!own.knows_share) {
            own.share = order_.share(uses_[tenant], plan_.weight(tenant), totals_);
            own.knows_share = true;
        }
        return own.share;
    }
    /// The rank of the first pending job of a group.
    [[nodiscard]] BURSAR_HD Entry entry_of(std::uint32_t group) const {
        const First& first = firsts_[group];
        return first.position == BitTree::none ? Entry{} : ranked(group, first.job, first.since_ms);
    }
    [[nodiscard]] BURSAR_HD Entry entry_of_job(JobId job) const {
        return ranked(jobs_.group_of[job], job, plan_.since_ms[job]);
    }
    [[nodiscard]] BURSAR_HD Entry ranked(std::uint32_t group,
                                         JobId job,
                                         std::int64_t since_ms) const {
        const JobGroup& own = jobs_.groups[group];
        if (own.is_alone) // no new rank: its jobs go by submit order
            return {own.level, 0, job};
        std::int64_t age_ms = 0;
        if (order_.reads_ages()) {
            age_ms = uses_.period_begin_ms() - since_ms;
            age_ms = age_ms < 0 ? 0 : age_ms;
        }
        return {own.level, order_.rank(share_of(own.tenant), own.merit, age_ms), job};
    }

    /// position: of the first pending job; none: the group has none.
    BURSAR_HD void set_first(std::uint32_t group, std::uint32_t position) {
        First& first = firsts_[group];
        first = {};
        if (position != BitTree::none) {
            first.position = position;
            first.job = jobs_.job_at[position];
            if (order_.reads_ages()) {
                first.since_ms = plan_.since_ms[first.job];
                if (position + 1 < plan_.num_jobs) // most often the next first one
                    prefetch(plan_.since_ms + jobs_.job_at[position + 1]);
            }
        }
        // A group without pending jobs has no entry in both, stale or not.
        const JobGroup& own = jobs_.groups[group];
        const bool at_once = own.is_alone || position == BitTree::none;
        if (at_once || !stale_.has(own.tenant))
            ranks_.set(group, entry_of(group));
        if (at_once || !shape_stale_.has(own.tenant))
            shape_ranks_[own.shape].set(own.index, entry_of(group));
    }

    /// The use of a tenant has changed.
    BURSAR_HD void follow_use(TenantId tenant) {
        if (!uses_.remembers()) // otherwise its rank changes at the end of the period
            rank_anew(tenant);
    }
    BURSAR_HD void rank_anew(TenantId tenant) {
        tenants_[tenant].knows_share = false;
        if (tenants_[tenant].num_pending == 0)
            return;
        stale_.add(tenant);
        shape_stale_.add(tenant);
    }

    BURSAR_HD void rank_stale() const {
        stale_.take_all([&](TenantId tenant) {
            if (tenants_[tenant].num_pending == 0)
                return;
            const std::uint32_t begin = jobs_.tenant_begin[tenant];
            const std::uint32_t end = jobs_.tenant_begin[tenant + 1];
            std::uint32_t group = begin;
            for (; group < end && !jobs_.groups[group].is_alone; ++group)
                ranks_.put(group, entry_of(group));
            ranks_.renew(begin, group);
        });
    }
    BURSAR_HD void rank_stale_of_shapes() const {
        shape_stale_.take_all([&](TenantId tenant) {
            if (tenants_[tenant].num_pending == 0)
                return;
            for (std::uint32_t group = jobs_.tenant_begin[tenant];
                 group < jobs_.tenant_begin[tenant + 1] && !jobs_.groups[group].is_alone;
                 ++group) {
                const JobGroup& own = jobs_.groups[group];
                shape_ranks_[own.shape].set(own.index, entry_of(group));
            }
        });
    }

    RunPlan plan_;
    JobOrderView jobs_;
    Order order_;
    FleetTotals totals_;
    TenantUses uses_;
    Tenant* tenants_{};
    BitTree pending_;
    First* firsts_{}; ///< by group
    // The first of all and of each shape; entries of stale tenants are updated before a read.
    mutable Tournament ranks_; ///< of the groups
    mutable StaleTenants stale_;
    Tournament* shape_ranks_{}; ///< of the groups of each shape
    mutable StaleTenants shape_stale_;
    GroupLengths lengths_;
    std::uint32_t* count_{}; ///< shape -> its pending jobs
    ShapeId* asked_{};       ///< shapes with pending jobs, unsorted
    std::uint32_t* place_{}; ///< shape -> its place in asked_
    std::uint32_t num_asked_{};
    std::uint32_t num_jobs_{};
    std::uint32_t num_apart_{};
};

}} // namespace bursar::sim
