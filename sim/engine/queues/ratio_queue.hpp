#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/arena/arena.hpp"
#include "sim/engine/members.hpp"
#include "sim/engine/protocol.hpp"
#include "sim/engine/queues/candidate.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/engine/queues/ratio_contests.hpp"
#include "sim/engine/queues/tenant_use.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// The queue of a policy that serves whose (elapsed + remaining) / (run * stretch) is the largest,
/// ties by submit order, where the stretch is equal for all jobs of one shape and weight and
/// changes with who is in the system. Claims grow while time passes: inside a group a kinetic
/// tournament follows them, among groups they are compared at each look.
///
/// Order: `stretch(shape, weight, weight_in_system, totals) -> uint64`, >= 1, below 2^36.
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
                                      .come_back = true};

    using Order = RatioOrder;

    RatioQueue() = default;
    BURSAR_HD
    RatioQueue(ArenaCarver& carver, const PlanView& plan, const JobOrderView& jobs, Order order)
        : plan_{plan}, jobs_{jobs}, order_{order}, totals_{fleet_totals(plan)},
          contests_{carver, plan, jobs.groups, jobs.num_groups, jobs.job_at},
          count_{carver.take<std::uint32_t>(plan.num_shapes)},
          in_group_{carver.take<std::uint32_t>(jobs.num_groups)},
          asked_{carver.take<std::uint32_t>(jobs.num_groups)},
          place_{carver.take<std::uint32_t>(jobs.num_groups)} {}

    BURSAR_HD void clear() {
        contests_.clear();
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            count_[shape] = 0;
        for (std::uint32_t group = 0; group < jobs_.num_groups; ++group)
            in_group_[group] = 0;
        num_asked_ = 0;
        num_jobs_ = 0;
        weight_in_system_ = 0;
        now_ms_ = 0;
    }

    /// Time has moved on; nothing has happened yet at this instant.
    BURSAR_HD void advance(std::int64_t now_ms) {
        now_ms_ = now_ms;
        for (std::uint32_t i = 0; i < num_asked_; ++i)
            contests_.advance(asked_[i], now_ms);
    }

    BURSAR_HD void arrive(JobId job) {
        const std::uint32_t group = jobs_.group_of[job];
        weight_in_system_ += plan_.weight(plan_.tenant_of(job));
        ++num_jobs_;
        ++count_[plan_.shape[job]];
        if (in_group_[group]++ == 0) {
            place_[group] = num_asked_;
            asked_[num_asked_++] = group;
        }
        contests_.insert(group, jobs_.position[job], now_ms_);
    }

    /// A job that was stopped waits again.
    BURSAR_HD void come_back(const WaitingJob& job, const Progress&) { arrive(job.job); }

    /// Takes out a group's leader: it runs from now on.
    BURSAR_HD void start(const Candidate& candidate) {
        const std::uint32_t group = jobs_.group_of[candidate.job];
        --num_jobs_;
        --count_[candidate.shape];
        if (--in_group_[group] == 0) {
            const std::uint32_t last = asked_[--num_asked_];
            asked_[place_[group]] = last;
            place_[last] = place_[group];
        }
        contests_.erase(group, jobs_.position[candidate.job], now_ms_);
    }

    /// A job of `tenant` no longer runs.
    BURSAR_HD void released(TenantId tenant, ShapeId /*shape*/) {
        weight_in_system_ -= plan_.weight(tenant);
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
        const Entry best = team.minimum(
            num_asked_,
            [&](std::uint32_t i) {
                const JobGroup& group = jobs_.groups[asked_[i]];
                return fits(group.shape) ? entry_of(asked_[i]) : Entry{};
            },
            Entry{});
        return {best.job, best.shape};
    }

  private:
    /// A group's leader with its ratio; the larger ratio first.
    struct Entry {
        std::uint64_t time_ms{}; ///< elapsed and remaining, below 2^42
        uint128 stretched_ms{1}; ///< run * stretch, below 2^76
        JobId job{Candidate::no_job()};
        ShapeId shape{};
        friend BURSAR_HD bool operator<(const Entry& a, const Entry& b) {
            const uint128 left = b.stretched_ms * a.time_ms;
            const uint128 right = a.stretched_ms * b.time_ms;
            return left != right ? left > right : a.job < b.job;
        }
    };

    [[nodiscard]] BURSAR_HD Entry entry_of(std::uint32_t of_group) const {
        const JobGroup& group = jobs_.groups[of_group];
        const JobId job = contests_.leader(of_group);
        const Claim claim = contests_.claim_of(job);
        const std::uint64_t stretch =
            order_.stretch(plan_.shapes[group.shape], group.merit, weight_in_system_, totals_);
        return {static_cast<std::uint64_t>(now_ms_ + claim.offset_ms),
                uint128{stretch} * static_cast<std::uint64_t>(claim.run_ms),
                job,
                group.shape};
    }

    PlanView plan_;
    JobOrderView jobs_;
    Order order_;
    FleetTotals totals_;
    RatioContests contests_;
    std::uint32_t* count_{};    ///< shape -> its pending jobs
    std::uint32_t* in_group_{}; ///< group -> its pending jobs
    std::uint32_t* asked_{};    ///< the groups that have pending jobs, in no order
    std::uint32_t* place_{};    ///< group -> its place in asked_
    std::uint32_t num_asked_{};
    std::uint32_t num_jobs_{};
    std::uint64_t weight_in_system_{}; ///< of all jobs that wait or run
    std::int64_t now_ms_{};
};

} // namespace bursar::inline sim
