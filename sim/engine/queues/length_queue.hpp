#pragma once

#include <cstdint>

#include "sim/arena/min_tree.hpp"
#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/estimated_hold.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// A RankedQueue that also finds the first job of a shape that is short enough, at a cost that
/// grows with the log of the queue: per shape, a tree of the pending jobs' believed holds by their
/// places in order.
class LengthQueue {
  public:
    static constexpr QueueMembers has{.start = true,
                                      .head = true,
                                      .first_where = true,
                                      .num_pending = true,
                                      .give_back = true,
                                      .come_back = true};

    LengthQueue() = default;
    BURSAR_HD LengthQueue(ArenaCarver& carver, const RunPlan& plan, const JobOrderView& order)
        : plan_{plan}, order_{order}, ranked_{carver, plan, order},
          lengths_{carver.take<MinTree>(plan.num_shapes)} {
        for (ShapeId shape{0}; shape < plan.num_shapes; ++shape) {
            const std::uint32_t num = order.shape_begin[shape + 1] - order.shape_begin[shape];
            const MinTree tree{carver, order.finds_short ? num : 0};
            if (lengths_ != nullptr)
                lengths_[shape] = tree;
        }
    }

    BURSAR_HD void clear() {
        ranked_.clear();
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            lengths_[shape].clear();
    }

    BURSAR_HD void arrive(JobId job) {
        ranked_.arrive(job);
        note_length(job, progress_at_arrival(plan_, job));
    }
    BURSAR_HD void come_back(const WaitingJob& job, const Progress& progress) {
        ranked_.come_back(job, progress);
        note_length(job.job, progress);
    }
    /// Returns a job that was taken out.
    BURSAR_HD void give_back(const Candidate& job, const Progress& progress) {
        ranked_.give_back(job, progress);
        note_length(job.job, progress);
    }
    /// Takes out any pending job.
    BURSAR_HD void start(const Candidate& candidate) {
        ranked_.take_out(candidate);
        if (order_.finds_short)
            lengths_[candidate.shape].set(place_of(candidate.job), MinTree::absent);
    }
    BURSAR_HD void take_out(const Candidate& candidate) { start(candidate); }
    /// Never: there is room for all jobs of the plan.
    [[nodiscard]] BURSAR_HD static constexpr bool full() { return false; }
    BURSAR_HD void count_apart(int change) { ranked_.count_apart(change); }
    [[nodiscard]] BURSAR_HD std::uint64_t level_of(JobId job) const { return order_.level_of(job); }

    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const { return ranked_.num_jobs(); }
    [[nodiscard]] BURSAR_HD std::uint32_t num_pending(ShapeId shape) const {
        return ranked_.num_pending(shape);
    }
    template <class Team>
    [[nodiscard]] BURSAR_HD Candidate head(const Team& team) const {
        return ranked_.head(team);
    }
    /// Compares two pending jobs.
    [[nodiscard]] BURSAR_HD bool is_before(JobId a, JobId b) const {
        const std::uint64_t key_a = order_.key_at(order_.position[a]);
        const std::uint64_t key_b = order_.key_at(order_.position[b]);
        return key_a != key_b ? key_a < key_b : a < b;
    }
    // As in RankedQueue.
    template <class Team, class Fits>
    [[nodiscard]] BURSAR_HD Candidate first_where(const Team& team, const Fits& fits) const {
        return ranked_.first_where(team, fits);
    }
    template <class Team, class Pick>
    [[nodiscard]] BURSAR_HD RankedQueue::Head first_picked(const Team& team,
                                                           const Pick& pick) const {
        return ranked_.first_picked(team, pick);
    }

    /// The first pending job of `shape` that releases GPUs of `pool` within `max_ms` on any of its
    /// nodes, or no_job(). Precondition: num_pending(shape) > 0.
    [[nodiscard]] BURSAR_HD JobId first_within(ShapeId shape,
                                               PoolId pool,
                                               std::int64_t max_ms,
                                               const CarriedJobs& carried) const {
        const MinTree& lengths = lengths_[shape];
        const std::uint32_t begin = order_.shape_begin[shape];
        if (lengths.least() > max_ms)
            return Candidate::no_job();
        const std::uint32_t first = place_of(ranked_.head_of(shape).job);
        for (std::uint32_t place = lengths.first_at_most(first, max_ms); place != MinTree::none;
             place = lengths.first_at_most(place + 1, max_ms)) {
            const JobId job = order_.job_at[begin + place];
            // The tree has the shortest hold over all pools.
            if (plan_.classes[plan_.job_class[job]].speed_row == 0 ||
                longest_hold_ms(plan_, job, carried.of(job), pool) <= max_ms)
                return job;
        }
        return Candidate::no_job();
    }

  private:
    BURSAR_HD void note_length(JobId job, const Progress& progress) {
        if (order_.finds_short)
            lengths_[plan_.shape[job]].set(place_of(job), shortest_hold_ms(plan_, job, progress));
    }
    [[nodiscard]] BURSAR_HD std::uint32_t place_of(JobId job) const {
        return order_.position[job] - order_.shape_begin[plan_.shape[job]];
    }

    RunPlan plan_;
    JobOrderView order_;
    RankedQueue ranked_;
    MinTree* lengths_{}; ///< by shape
};

}} // namespace bursar::sim
