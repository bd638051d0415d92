#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"
#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/members.hpp"
#include "sim/engine/queues/candidate.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/job_group.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// A JobOrder as plain pointers.
struct JobOrderView {
    const std::uint32_t* position{};
    const JobId* job_at{};
    const std::uint64_t* key{};         ///< of each job
    const std::uint32_t* level{};       ///< of each job, first in the order; null: keys say all
    const std::uint32_t* shape_begin{}; ///< of each shape and, last, the number of jobs
    const JobGroup* groups{};
    const std::uint32_t* group_of{};
    const std::uint32_t* tenant_begin{};
    std::uint32_t num_groups{};
    const std::uint32_t* place_begin{};
    bool finds_short{}; ///< short jobs are looked for

    /// How urgent a job is, where the order goes by priority or value first; 0: the most.
    [[nodiscard]] BURSAR_HD std::uint64_t level_of(JobId job) const {
        return level == nullptr ? 0 : level[job];
    }
};

/// The queue of any policy whose keys are fixed before the run: per shape, the pending jobs as a
/// set of positions in the policy's order. Arrival and start cost a few words however long the
/// queue is; the choice among shapes looks at one cached head per shape that has pending jobs.
class RankedQueue {
  public:
    static constexpr QueueMembers has{.start = true,
                                      .head = true,
                                      .first_where = true,
                                      .for_each_shape = true,
                                      .num_pending = true,
                                      .give_back = true,
                                      .come_back = true};

    /// A pending job with what orders it among others; by default one that comes after all.
    struct Head {
        std::uint64_t key{~std::uint64_t{0}};
        JobId job{Candidate::no_job()};
        ShapeId shape{};
        friend BURSAR_HD bool operator<(const Head& a, const Head& b) {
            return a.key != b.key ? a.key < b.key : a.job < b.job;
        }
    };

    RankedQueue() = default;
    BURSAR_HD RankedQueue(ArenaCarver& carver, const PlanView& plan, const JobOrderView& order)
        : plan_{plan}, order_{order}, pending_{carver, plan.num_jobs},
          heads_{carver.take<Head>(plan.num_shapes)},
          place_{carver.take<std::uint32_t>(plan.num_shapes)},
          count_{carver.take<std::uint32_t>(plan.num_shapes)} {}

    BURSAR_HD void clear() {
        pending_.clear();
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            count_[shape] = 0;
        num_heads_ = 0;
        num_jobs_ = num_apart_ = 0;
    }

    BURSAR_HD void arrive(JobId job) {
        const ShapeId shape = plan_.shape_of(job);
        const Head own{key_of(job), job, shape};
        pending_.insert(order_.position[job]);
        ++num_jobs_;
        if (count_[shape]++ == 0) {
            place_[shape] = num_heads_;
            heads_[num_heads_++] = own;
        } else if (own < heads_[place_[shape]]) {
            heads_[place_[shape]] = own;
        }
    }

    /// A job that was stopped waits again, at its place in the order.
    BURSAR_HD void come_back(const WaitingJob& job, const Progress&) { arrive(job.job); }
    /// A job that was taken out waits again.
    BURSAR_HD void give_back(const Candidate& job, const Progress&) { arrive(job.job); }
    /// There is room for all jobs of the plan.
    [[nodiscard]] BURSAR_HD static constexpr bool full() { return false; }
    /// Jobs that wait but are kept apart by a pass, and not offered: so many more.
    BURSAR_HD void count_apart(int change) { num_apart_ += static_cast<std::uint32_t>(change); }
    [[nodiscard]] BURSAR_HD std::uint64_t level_of(JobId job) const { return order_.level_of(job); }

    /// Takes out a shape's head.
    BURSAR_HD void start(const Candidate& candidate) {
        const std::uint32_t position = order_.position[candidate.job];
        const std::uint32_t place = place_[candidate.shape];
        pending_.erase(position);
        --num_jobs_;
        if (--count_[candidate.shape] > 0) {
            const JobId job = order_.job_at[pending_.first_at_or_after(position + 1)];
            heads_[place] = {key_of(job), job, candidate.shape};
        } else {
            heads_[place] = heads_[--num_heads_];
            place_[heads_[place].shape] = place;
        }
    }

    /// Takes out any pending job.
    BURSAR_HD void take_out(const Candidate& candidate) {
        if (heads_[place_[candidate.shape]].job == candidate.job) {
            start(candidate);
            return;
        }
        pending_.erase(order_.position[candidate.job]);
        --num_jobs_;
        --count_[candidate.shape];
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const { return num_jobs_ + num_apart_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_pending(ShapeId shape) const { return count_[shape]; }

    /// The job whose turn it is, whether it fits or not.
    template <class Team>
    [[nodiscard]] BURSAR_HD Candidate head(const Team& team) const {
        return first_where(team, [](std::uint32_t) { return true; });
    }

    /// The first job in order whose shape passes `fits(shape)`.
    template <class Team, class Fits>
    [[nodiscard]] BURSAR_HD Candidate first_where(const Team& team, Fits fits) const {
        const Head best = team.minimum(
            num_heads_,
            [&](std::uint32_t i) { return fits(heads_[i].shape) ? heads_[i] : Head{}; },
            Head{});
        return {best.job, best.shape};
    }

    /// Precondition: num_pending(shape) > 0.
    [[nodiscard]] BURSAR_HD const Head& head_of(ShapeId shape) const {
        return heads_[place_[shape]];
    }

    /// Calls `act(shape)` for every shape with pending jobs, shared among the lanes.
    template <class Team, class Act>
    BURSAR_HD void for_each_shape(const Team& team, Act act) const {
        team.for_each(num_heads_, [&](std::uint32_t i) { act(heads_[i].shape); });
    }

    /// The first in order of the jobs that `pick(shape, head) -> job` names for each shape with
    /// pending jobs, `head` the first of them; no_job() for none.
    template <class Team, class Pick>
    [[nodiscard]] BURSAR_HD Head first_picked(const Team& team, const Pick& pick) const {
        return team.minimum(
            num_heads_,
            [&](std::uint32_t i) {
                const JobId job = pick(heads_[i].shape, heads_[i].job);
                return job == Candidate::no_job() ? Head{}
                                                  : Head{key_of(job), job, heads_[i].shape};
            },
            Head{});
    }

  private:
    [[nodiscard]] BURSAR_HD std::uint64_t key_of(JobId job) const { return order_.key[job]; }

    PlanView plan_;
    JobOrderView order_;
    BitTree pending_;
    Head* heads_{};          ///< of the shapes that have pending jobs, in no order
    std::uint32_t* place_{}; ///< shape -> its place in heads_, while it has pending jobs
    std::uint32_t* count_{}; ///< shape -> its pending jobs
    std::uint32_t num_heads_{};
    std::uint32_t num_jobs_{};
    std::uint32_t num_apart_{};
};

} // namespace bursar::inline sim
