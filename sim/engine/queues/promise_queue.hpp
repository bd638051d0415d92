#pragma once

#include <cstdint>

#include "sim/engine/members.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/plan/ids.hpp"

namespace bursar::inline sim {

/// The pending jobs of conservative backfilling: those that hold a reservation, those that do not
/// have one yet, each in the policy's order, and those that fit nothing that is up.
class PromiseQueue {
  public:
    static constexpr QueueMembers has{.start = true, .num_pending = true, .come_back = true};

    PromiseQueue() = default;
    BURSAR_HD PromiseQueue(ArenaCarver& carver, const PlanView& plan, const JobOrderView& order)
        : plan_{plan}, order_{order}, waiting_{carver, plan, order},
          promised_{carver, plan.num_jobs}, count_{carver.take<std::uint32_t>(plan.num_shapes)},
          next_{carver.take<std::uint32_t>(order.num_lines(plan))},
          hopeless_{carver.take<JobId>(plan.moves ? plan.num_jobs : 0)} {}

    BURSAR_HD void clear() {
        waiting_.clear();
        promised_.clear();
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            count_[shape] = 0;
        num_promised_ = num_hopeless_ = 0;
    }

    BURSAR_HD void arrive(JobId job) { waiting_.arrive(job); }
    /// A job that was stopped waits again, with the key that it came with even where keys move.
    BURSAR_HD void come_back(const WaitingJob& job, const Progress& progress) {
        waiting_.come_back(job, progress);
    }

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

    /// The first of the jobs without a reservation fits nothing that is up, whose capacity is known
    /// to change.
    BURSAR_HD void set_aside(const Candidate& first) {
        waiting_.start(first);
        ++count_[first.shape];
        hopeless_[num_hopeless_++] = first.job;
    }
    /// Likewise a job that held one.
    BURSAR_HD void set_aside_promised(JobId job) {
        promised_.erase(order_.position[job]);
        --num_promised_;
        hopeless_[num_hopeless_++] = job;
    }
    /// Capacity has changed: they may fit now.
    BURSAR_HD void take_back_all() {
        while (num_hopeless_ > 0) {
            const JobId job = hopeless_[--num_hopeless_];
            --count_[plan_.shape_of(job)];
            waiting_.arrive(job);
        }
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const {
        return waiting_.num_jobs() + num_promised_ + num_hopeless_;
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

    /// Calls `act(job)` for every job with a reservation, in order; it may set that job aside. By
    /// one lane. Cost: lines of the order for each.
    template <class Act>
    BURSAR_HD void for_each_promised(const Act& act) {
        const std::uint32_t num_lines = order_.num_lines(plan_);
        for (std::uint32_t line = 0; line < num_lines; ++line)
            next_[line] = promised_.first_at_or_after(order_.begin_of(line));
        for (std::uint32_t left = num_promised_; left > 0; --left) {
            RankedQueue::Head first;
            std::uint32_t from = 0;
            for (std::uint32_t line = 0; line < num_lines; ++line) {
                const std::uint32_t at = next_[line];
                if (at >= order_.end_of(line, plan_)) // none is past all positions
                    continue;
                const RankedQueue::Head own{order_.key_at(at), order_.job_at[at], at, {}};
                if (own < first) {
                    first = own;
                    from = line;
                }
            }
            next_[from] = promised_.first_at_or_after(first.position + 1);
            act(first.job);
        }
    }

  private:
    PlanView plan_;
    JobOrderView order_;
    RankedQueue waiting_;
    BitTree promised_;       ///< positions of the jobs with a reservation
    std::uint32_t* count_{}; ///< of them and of those that fit nothing, by shape
    std::uint32_t* next_{};  ///< for_each_promised: by line, the next position
    std::uint32_t num_promised_{};
    JobId* hopeless_{}; ///< those that fit nothing that is up
    std::uint32_t num_hopeless_{};
};

} // namespace bursar::inline sim
