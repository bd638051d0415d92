#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/estimated_hold.hpp"
#include "sim/engine/attempts/job_views.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/queues/length_queue.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The queue of an order whose keys move while jobs run, if that order does not preempt: a stopped
/// job waits with the key of its remaining work. Jobs that have not run yet wait in a LengthQueue,
/// the others in a list that every choice walks.
///
/// Jobs are ranked by level, key and submit order, in 32, 64 and 32 bits of a Rank.
template <class Policy>
class MovingQueue {
  public:
    static constexpr QueueMembers has{
        .start = true, .head = true, .num_pending = true, .give_back = true, .come_back = true};

    using Order = Policy;

    /// A waiting job with its rank; by default one that comes after all.
    struct Head {
        Rank rank{~std::uint64_t{0}, ~std::uint64_t{0}};
        JobId job{Candidate::no_job()};
        ShapeId shape{};
        friend BURSAR_HD bool operator<(const Head& a, const Head& b) { return a.rank < b.rank; }
    };

    MovingQueue() = default;
    BURSAR_HD MovingQueue(ArenaCarver& carver,
                          const RunPlan& plan,
                          const ArenaSize& size,
                          const JobOrderView& order,
                          const Policy& policy)
        : plan_{plan}, order_{order}, policy_{policy}, first_timers_{carver, plan, order},
          resumed_{carver.take<Resumed>(size.max_resumed)},
          num_resumed_of_{carver.take<std::uint32_t>(plan.num_shapes)},
          max_resumed_{size.max_resumed} {}

    BURSAR_HD void clear() {
        first_timers_.clear();
        num_resumed_ = 0;
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            num_resumed_of_[shape] = 0;
    }

    BURSAR_HD void arrive(JobId job) { first_timers_.arrive(job); }
    BURSAR_HD void come_back(const WaitingJob& job, const Progress& progress) {
        wait_with(job.job, job.shape, progress);
    }
    BURSAR_HD void give_back(const Candidate& job, const Progress& progress) {
        if (progress.num_stopped == 0)
            arrive(job.job);
        else
            wait_with(job.job, job.shape, progress);
    }
    /// Takes out a waiting job.
    BURSAR_HD void start(const Candidate& job) {
        const std::uint32_t i = place_of(job.job);
        if (i == num_resumed_) {
            first_timers_.start(job);
            return;
        }
        resumed_[i] = resumed_[--num_resumed_];
        --num_resumed_of_[job.shape];
    }

    BURSAR_HD void take_out(const Candidate& job) { start(job); }

    [[nodiscard]] BURSAR_HD bool full() const { return num_resumed_ == max_resumed_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const {
        return first_timers_.num_jobs() + num_resumed_;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t num_pending(ShapeId shape) const {
        return first_timers_.num_pending(shape) + num_resumed_of_[shape];
    }
    BURSAR_HD void count_apart(int change) { first_timers_.count_apart(change); }
    [[nodiscard]] BURSAR_HD std::uint64_t level_of(JobId job) const { return order_.level_of(job); }

    /// The first job in order, whether it fits or not.
    template <class Team>
    [[nodiscard]] BURSAR_HD Candidate head(const Team& team) const {
        const Head first = first_picked(team, [](ShapeId, JobId job) { return job; });
        return {first.job, first.shape};
    }

    /// The first in order of the jobs that `pick(shape, job) -> job` returns; called for the first
    /// job of each shape, and for each that has run.
    template <class Team, class Pick>
    [[nodiscard]] BURSAR_HD Head first_picked(const Team& team, const Pick& pick) const {
        // A job that has run is handled below: here it would have the key of its arrival.
        const auto first = first_timers_.first_picked(team, [&](ShapeId shape, JobId job) {
            const JobId picked = pick(shape, job);
            return place_of(picked) < num_resumed_ ? Candidate::no_job() : picked;
        });
        const Head best = ranked(first.job, first.shape);
        const Head resumed = team.minimum(
            num_resumed_,
            [&](std::uint32_t i) {
                const Head& own = resumed_[i].head;
                const JobId job = pick(own.shape, own.job);
                return job == own.job ? own : ranked(job, own.shape);
            },
            Head{});
        return resumed < best ? resumed : best;
    }

    /// Compares two waiting jobs.
    [[nodiscard]] BURSAR_HD bool is_before(JobId a, JobId b) const {
        return ranked(a, plan_.shape_of(a)) < ranked(b, plan_.shape_of(b));
    }
    /// The first waiting job of `shape` that releases GPUs of `pool` within `max_ms` on any of its
    /// nodes, or no_job().
    [[nodiscard]] BURSAR_HD JobId first_within(ShapeId shape,
                                               PoolId pool,
                                               std::int64_t max_ms,
                                               const CarriedJobs& carried) const {
        Head best;
        if (first_timers_.num_pending(shape) > 0)
            best = ranked(first_timers_.first_within(shape, pool, max_ms, carried), shape);
        for (std::uint32_t i = 0; i < num_resumed_; ++i) {
            const Resumed& own = resumed_[i];
            if (own.head.shape == shape && own.head < best &&
                longest_hold_ms(plan_, own.head.job, own.progress, pool) <= max_ms)
                best = own.head;
        }
        return best.job;
    }

  private:
    struct Resumed {
        Head head{};
        Progress progress{};
    };

    BURSAR_HD void wait_with(JobId job, ShapeId shape, const Progress& progress) {
        assert(!full());
        const std::uint64_t key = policy_.key(view_of_waiting(plan_, job, progress));
        resumed_[num_resumed_++] = {{rank_of(job, key), job, shape}, progress};
        ++num_resumed_of_[shape];
    }

    /// A waiting job with its rank; for no_job() the default.
    [[nodiscard]] BURSAR_HD Head ranked(JobId job, ShapeId shape) const {
        if (job == Candidate::no_job())
            return {};
        const std::uint32_t i = place_of(job);
        if (i < num_resumed_)
            return resumed_[i].head;
        return {rank_of(job, policy_.key(plan_.view(job))), job, shape};
    }
    /// Its index in resumed_; num_resumed_ if it has not run.
    [[nodiscard]] BURSAR_HD std::uint32_t place_of(JobId job) const {
        std::uint32_t i = 0;
        while (i < num_resumed_ && resumed_[i].head.job != job)
            ++i;
        return i;
    }
    [[nodiscard]] BURSAR_HD Rank rank_of(JobId job, std::uint64_t key) const {
        return {level_of(job) << 32U | key >> 32U, key << 32U | job};
    }

    RunPlan plan_;
    JobOrderView order_;
    Policy policy_;
    LengthQueue first_timers_;
    Resumed* resumed_{};              ///< unsorted
    std::uint32_t* num_resumed_of_{}; ///< by shape
    std::uint32_t max_resumed_{};
    std::uint32_t num_resumed_{};
};

}} // namespace bursar::sim
