#pragma once

#include <cstdint>

#include "sim/engine/members.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/plan/ids.hpp"

namespace bursar::inline sim {

/// The pending jobs of conservative backfilling: those that hold a reservation and those that do
/// not have one yet, each in the policy's order.
class PromiseQueue {
  public:
    static constexpr QueueMembers has{.start = true, .num_pending = true};

    PromiseQueue() = default;
    BURSAR_HD PromiseQueue(ArenaCarver& carver, const PlanView& plan, const JobOrderView& order)
        : plan_{plan}, order_{order}, waiting_{carver, plan, order},
          promised_{carver, plan.num_jobs}, count_{carver.take<std::uint32_t>(plan.num_shapes)},
          next_{carver.take<std::uint32_t>(plan.num_shapes)} {}

    BURSAR_HD void clear() {
        waiting_.clear();
        promised_.clear();
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            count_[shape] = 0;
        num_promised_ = 0;
    }

    BURSAR_HD void arrive(JobId job) { waiting_.arrive(job); }

    /// The first of the jobs without a reservation now has one.
    BURSAR_HD void promise(const Candidate& first) {
        waiting_.start(first);
        promised_.insert(order_.position[first.job]);
        ++count_[first.shape];
        ++num_promised_;
    }
    /// Takes out a job with a reservation.
    BURSAR_HD void start(const Candidate& candidate) {
        promised_.erase(order_.position[candidate.job]);
        --count_[candidate.shape];
        --num_promised_;
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const {
        return waiting_.num_jobs() + num_promised_;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t num_pending(ShapeId shape) const {
        return waiting_.num_pending(shape) + count_[shape];
    }
    [[nodiscard]] BURSAR_HD std::uint32_t num_promised() const { return num_promised_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_waiting() const { return waiting_.num_jobs(); }

    /// The first without a reservation.
    template <class Team>
    [[nodiscard]] BURSAR_HD Candidate first_waiting(const Team& team) const {
        return waiting_.head(team);
    }

    /// Calls `act(job)` for every job with a reservation, in order. By one lane. Cost: shapes for
    /// each.
    template <class Act>
    BURSAR_HD void for_each_promised(const Act& act) {
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            next_[shape] = promised_.first_at_or_after(order_.shape_begin[shape]);
        for (std::uint32_t left = num_promised_; left > 0; --left) {
            RankedQueue::Head first;
            for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape) {
                if (next_[shape] >= order_.shape_begin[shape + 1]) // none is past all positions
                    continue;
                const JobId job = order_.job_at[next_[shape]];
                const RankedQueue::Head own{order_.key[job], job, shape};
                if (own < first)
                    first = own;
            }
            next_[first.shape] = promised_.first_at_or_after(next_[first.shape] + 1);
            act(first.job);
        }
    }

  private:
    PlanView plan_;
    JobOrderView order_;
    RankedQueue waiting_;
    BitTree promised_;       ///< positions of the jobs with a reservation
    std::uint32_t* count_{}; ///< of them, by shape
    std::uint32_t* next_{};  ///< for_each_promised: by shape, the next position
    std::uint32_t num_promised_{};
};

} // namespace bursar::inline sim
