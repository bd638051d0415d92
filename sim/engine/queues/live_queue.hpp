#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/order/turn_counters.hpp"
#include "sim/engine/queues/queue_order.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The queue of a preemptive run: jobs that have not run yet wait in the order computed before the
/// run, preempted ones in a heap. The first of both is stored by shape.
///
/// Policy: see order_traits.hpp; FixedOrder if the JobOrder's keys are fixed for the whole run.
template <class Policy>
class LiveQueue {
    static_assert(Policy::traits.motion == KeyMotion::fixed || QueueOrder<Policy>,
                  "not a QueueOrder: see \"A queue order\" in sim/engine/README.md");

  public:
    static constexpr QueueMembers has{
        .first_where = true, .num_pending = true, .come_back = true, .put_back = true};

    using Order = Policy;

    LiveQueue() = default;
    BURSAR_HD LiveQueue(ArenaCarver& carver,
                        const RunPlan& plan,
                        const ArenaSize& size,
                        const JobOrderView& order,
                        const Policy& policy)
        : plan_{plan}, policy_{policy}, first_timers_{carver, plan, order},
          resumed_{carver, plan, size.max_resumed}, heads_{carver.take<Pick>(plan.num_shapes)},
          place_{carver.take<std::uint32_t>(plan.num_shapes)},
          slots_{carver.take<std::int32_t>(plan.num_shapes)} {}

    BURSAR_HD void clear() {
        first_timers_.clear();
        resumed_.clear();
        num_heads_ = num_apart_ = 0;
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            slots_[shape] = static_cast<std::int32_t>(plan_.shapes[shape].slots());
    }

    [[nodiscard]] BURSAR_HD const Policy& policy() const { return policy_; }

    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const {
        return first_timers_.num_jobs() + resumed_.num_jobs() + num_apart_;
    }
    /// Adds to the number of waiting jobs that a pass keeps apart, and that are not offered.
    BURSAR_HD void count_apart(int change) { num_apart_ += static_cast<std::uint32_t>(change); }
    [[nodiscard]] BURSAR_HD std::uint32_t num_pending(ShapeId shape) const {
        return first_timers_.num_pending(shape) + resumed_.num_pending(shape);
    }

    /// A shape's first in order.
    struct Pick {
        Rank rank{Rank::last()};
        JobId job{Candidate::no_job()};
        std::int32_t slots{}; ///< requested
        StoredShapeId shape{};
        bool has_run{}; ///< it was stopped before
        [[nodiscard]] BURSAR_HD bool is_none() const { return job == Candidate::no_job(); }
    };

    BURSAR_HD void arrive(JobId job) {
        const bool is_first = num_pending(plan_.shape_of(job)) == 0;
        first_timers_.arrive(job);
        offer(first_timer(first_timers_.head_of(plan_.shape_of(job))), is_first);
    }

    /// A shape's first in order. Precondition: num_pending(shape) > 0.
    [[nodiscard]] BURSAR_HD const Pick& head_of(ShapeId shape) const {
        return heads_[place_[shape]];
    }

    /// Whether a job that comes before `rank` waits.
    [[nodiscard]] BURSAR_HD bool has_before(const Rank& rank) const {
        return num_heads_ > 0 && heads_[0].rank < rank;
    }

    /// The same, if it passes `test(pick)`.
    template <class Test>
    [[nodiscard]] BURSAR_HD const Pick& head_where(ShapeId shape, const Test& test) const {
        return num_pending(shape) > 0 && test(head_of(shape)) ? head_of(shape) : no_pick_;
    }

    /// The first job in order with `test(pick)`. Only the first job of each shape is tested, in
    /// order: if the test is false for it, it must be false for later ones.
    template <class Team, class Test>
    [[nodiscard]] BURSAR_HD const Pick& first_where(const Team& team, Test test) const {
        const std::uint32_t place =
            team.first(num_heads_, [&](std::uint32_t i) { return test(heads_[i]); });
        return place < num_heads_ ? heads_[place] : no_pick_;
    }

    /// Takes out a job returned by first_where. The reference `pick` then refers to another job.
    [[gnu::always_inline]] BURSAR_HD WaitingJob take(const Pick& pick) {
        const WaitingJob job{pick.rank, pick.job, ShapeId{pick.shape}, pick.has_run};
        if (job.has_run)
            resumed_.take_head(job.shape);
        else
            first_timers_.start(Candidate{job.job, job.shape});
        renew_head(job.shape);
        return job;
    }

    /// Takes out any waiting job. Cost: a search among the stopped ones.
    BURSAR_HD void take_out(const Candidate& job) {
        const bool is_first = head_of(job.shape).job == job.job;
        if (!resumed_.take_out(job))
            first_timers_.take_out(job);
        if (is_first)
            renew_head(job.shape);
    }

    /// Whether one more stopped job may wait.
    [[nodiscard]] BURSAR_HD bool full() const { return resumed_.full(); }

    /// Returns a job that was taken out. Precondition: not full().
    BURSAR_HD void put_back(const WaitingJob& job) {
        if (job.has_run)
            resume(job);
        else
            arrive(job.job);
    }
    /// A job that was stopped waits again. Precondition: not full().
    BURSAR_HD void come_back(const WaitingJob& job, const Progress&) { resume(job); }

  private:
    BURSAR_HD void resume(const WaitingJob& job) {
        const bool is_first = num_pending(job.shape) == 0;
        resumed_.insert(job);
        offer(pick_of(job.rank, job.job, job.shape, true), is_first);
    }

    [[nodiscard]] BURSAR_HD Pick pick_of(const Rank& rank,
                                         JobId job,
                                         ShapeId shape,
                                         bool has_run) const {
        return {rank, job, slots_[shape], shape, has_run};
    }
    [[nodiscard]] BURSAR_HD Pick first_timer(const RankedQueue::Head& head) const {
        std::uint64_t tie = head.job;
        if (traits_of(policy_).ties == Ties::turn)
            tie = TurnCounters::of_arrival(head.job);
        return pick_of({head.key, tie}, head.job, head.shape, false);
    }

    /// Adds a job, which may be the first of its shape.
    BURSAR_HD void offer(const Pick& pick, bool is_only_one) {
        std::uint32_t place = is_only_one ? num_heads_++ : place_[pick.shape];
        if (!is_only_one && !(pick.rank < heads_[place].rank))
            return;
        for (; place > 0 && pick.rank < heads_[place - 1].rank; --place)
            put(place, heads_[place - 1]);
        put(place, pick);
    }

    /// Updates a shape after its first job has left.
    BURSAR_HD void renew_head(ShapeId shape) {
        std::uint32_t place = place_[shape];
        const bool has_new = first_timers_.num_pending(shape) > 0;
        if (!has_new && resumed_.num_pending(shape) == 0) {
            for (--num_heads_; place < num_heads_; ++place)
                put(place, heads_[place + 1]);
            return;
        }
        Pick head = has_new ? first_timer(first_timers_.head_of(shape)) : Pick{};
        if (resumed_.num_pending(shape) > 0) {
            const WaitingJob resumed = resumed_.head_of(shape);
            if (resumed.rank < head.rank)
                head = pick_of(resumed.rank, resumed.job, shape, true);
        }
        for (; place + 1 < num_heads_ && heads_[place + 1].rank < head.rank; ++place)
            put(place, heads_[place + 1]);
        put(place, head);
    }

    BURSAR_HD void put(std::uint32_t place, const Pick& head) {
        heads_[place] = head;
        place_[head.shape] = place;
    }

    RunPlan plan_;
    Policy policy_;
    RankedQueue first_timers_;
    ResumedJobs resumed_;
    Pick* heads_{};          ///< first job of each shape with waiting jobs, in order
    std::uint32_t* place_{}; ///< shape -> its place in heads_, while it has waiting jobs
    std::int32_t* slots_{};  ///< shape -> slots that its jobs request
    Pick no_pick_{};
    std::uint32_t num_heads_{};
    std::uint32_t num_apart_{};
};

}} // namespace bursar::sim
