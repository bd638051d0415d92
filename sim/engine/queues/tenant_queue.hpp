#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"
#include "sim/engine/members.hpp"
#include "sim/engine/protocol.hpp"
#include "sim/engine/queues/candidate.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/engine/queues/shape_contests.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// The queue of a policy whose order follows what tenants hold or held: their jobs' ranks change as
/// jobs start and end, and as use is forgotten.
///
/// Jobs of one group (job_groups.hpp) are served by submit order; only the first pending one of
/// each has a rank. A start or an end ranks its tenant's groups anew, log(tenants) for each; the
/// end of a period ranks all groups anew. What an arrival costs does not grow with the queue.
///
/// Order: `memory() -> UseMemory`; `share(use, weight, totals) -> uint64`, a tenant's part of a
/// rank; `rank(share, merit, age_ms) -> uint64`, least first. Ages count to the end of the last
/// period, so that ranks change only there and where use does.
template <class TenantOrder>
class TenantQueue {
    static_assert(TenantRanking<TenantOrder>,
                  "not a TenantRanking: see \"A queue order\" in sim/engine/README.md");

  public:
    static constexpr QueueMembers has{.start = true,
                                      .head = true,
                                      .first_where = true,
                                      .num_pending = true,
                                      .released = true,
                                      .come_back = true};

    using Order = TenantOrder;

    TenantQueue() = default;
    BURSAR_HD
    TenantQueue(ArenaCarver& carver, const PlanView& plan, const JobOrderView& jobs, Order order)
        : plan_{plan}, jobs_{jobs}, order_{order}, totals_{fleet_totals(plan)},
          uses_{carver, plan.num_tenants, order.memory()},
          share_{carver.take<std::uint64_t>(plan.num_tenants)}, pending_{carver, plan.num_jobs},
          contests_{carver, jobs.num_groups, jobs.shape_begin},
          count_{carver.take<std::uint32_t>(plan.num_shapes)},
          asked_{carver.take<ShapeId>(plan.num_shapes)},
          place_{carver.take<std::uint32_t>(plan.num_shapes)} {}

    BURSAR_HD void clear() {
        uses_.clear();
        for (TenantId tenant{0}; tenant < plan_.num_tenants; ++tenant)
            share_[tenant] = share_of(tenant);
        pending_.clear();
        contests_.clear();
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            count_[shape] = 0;
        num_asked_ = 0;
        num_jobs_ = 0;
    }

    /// Time has moved on; nothing has happened yet at this instant.
    BURSAR_HD void advance(std::int64_t now_ms) {
        if (!order_.follows_time() || !uses_.advance(now_ms))
            return;
        for (TenantId tenant{0}; tenant < plan_.num_tenants; ++tenant)
            rank_anew(tenant);
    }

    BURSAR_HD void arrive(JobId job) {
        const std::uint32_t group = jobs_.group_of[job];
        const ShapeId shape = jobs_.groups[group].shape;
        pending_.insert(jobs_.position[job]);
        ++num_jobs_;
        if (count_[shape]++ == 0) {
            place_[shape] = num_asked_;
            asked_[num_asked_++] = shape;
        }
        if (job < entry_of(group).job) // which no_job() never is
            set_first(group, job);
    }

    /// A job that was stopped waits again, at its place in its group.
    BURSAR_HD void come_back(const WaitingJob& job, const Progress&) { arrive(job.job); }

    /// Takes out a group's first job: it runs from now on.
    BURSAR_HD void start(const Candidate& candidate) {
        const std::uint32_t group = jobs_.group_of[candidate.job];
        const std::uint32_t position = jobs_.position[candidate.job];
        pending_.erase(position);
        --num_jobs_;
        if (--count_[candidate.shape] == 0) {
            const ShapeId last = asked_[--num_asked_];
            asked_[place_[candidate.shape]] = last;
            place_[last] = place_[candidate.shape];
        }
        uses_.add(jobs_.groups[group].tenant, plan_.shapes[candidate.shape]);
        const std::uint32_t next = pending_.first_at_or_after(position + 1);
        const bool has_next = next != BitTree::none && next < end_of(group);
        set_first(group, has_next ? jobs_.job_at[next] : Candidate::no_job());
        follow_use(jobs_.groups[group].tenant);
    }

    /// A job of `tenant` no longer runs.
    BURSAR_HD void released(TenantId tenant, ShapeId shape) {
        uses_.remove(tenant, plan_.shapes[shape]);
        follow_use(tenant);
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const { return num_jobs_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_pending(ShapeId shape) const { return count_[shape]; }

    /// The job whose turn it is, whether it fits or not.
    template <class Team>
    [[nodiscard]] BURSAR_HD Candidate head(const Team& team) const {
        return first_where(team, [](std::uint32_t) { return true; });
    }

    /// The first job in order whose shape passes `fits(shape)`.
    template <class Team, class Fits>
    [[nodiscard]] BURSAR_HD Candidate first_where(const Team& team, Fits fits) const {
        using Entry = ShapeContests::Entry;
        const Entry best = team.minimum(
            num_asked_,
            [&](std::uint32_t i) {
                return fits(asked_[i]) ? contests_.first_of(asked_[i]) : Entry{};
            },
            Entry{});
        return {best.job, best.shape};
    }

  private:
    [[nodiscard]] BURSAR_HD std::uint64_t share_of(TenantId tenant) const {
        return order_.share(uses_[tenant], plan_.weight(tenant), totals_);
    }
    [[nodiscard]] BURSAR_HD std::uint32_t end_of(std::uint32_t group) const {
        return group + 1 < jobs_.num_groups ? jobs_.groups[group + 1].begin : plan_.num_jobs;
    }
    [[nodiscard]] BURSAR_HD const ShapeContests::Entry& entry_of(std::uint32_t group) const {
        return contests_.entry(jobs_.groups[group].shape, jobs_.groups[group].index);
    }

    BURSAR_HD void set_first(std::uint32_t group, JobId job) {
        const JobGroup& own = jobs_.groups[group];
        ShapeContests::Entry entry; // of a group that has no pending job
        if (job != Candidate::no_job()) {
            const std::int64_t age_ms = uses_.period_begin_ms() - plan_.submit_ms[job];
            entry = {order_.rank(share_[own.tenant], own.merit, age_ms < 0 ? 0 : age_ms),
                     job,
                     own.shape};
        }
        contests_.set(own.shape, own.index, entry);
    }

    /// What a tenant holds has changed.
    BURSAR_HD void follow_use(TenantId tenant) {
        if (!uses_.remembers()) // else its rank waits for the end of the period
            rank_anew(tenant);
    }

    /// All its jobs: at the end of a period ages are others, whatever became of its share.
    BURSAR_HD void rank_anew(TenantId tenant) {
        share_[tenant] = share_of(tenant);
        for (std::uint32_t group = jobs_.tenant_begin[tenant];
             group < jobs_.tenant_begin[tenant + 1];
             ++group) {
            const JobId job = entry_of(group).job;
            if (job != Candidate::no_job())
                set_first(group, job);
        }
    }

    PlanView plan_;
    JobOrderView jobs_;
    Order order_;
    FleetTotals totals_;
    TenantUses uses_;
    std::uint64_t* share_{}; ///< of each tenant, as the order ranks it
    BitTree pending_;
    ShapeContests contests_;
    std::uint32_t* count_{}; ///< shape -> its pending jobs
    ShapeId* asked_{};       ///< the shapes that have pending jobs, in no order
    std::uint32_t* place_{}; ///< shape -> its place in asked_
    std::uint32_t num_asked_{};
    std::uint32_t num_jobs_{};
};

} // namespace bursar::inline sim
