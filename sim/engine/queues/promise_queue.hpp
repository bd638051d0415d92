#pragma once

#include <cassert>
#include <cstdint>
#include <optional>

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"
#include "sim/engine/attempts/job_views.hpp"
#include "sim/engine/order/order_traits.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/queues/ranked_queue.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The stage of a job that has come back and waits.
enum class PromiseStage : std::uint8_t {
    waiting, ///< it has no reservation yet
    promised,
    hopeless ///< it fits no node that is up
};

/// Jobs that have come back to a queue whose keys move, in order, each with its key. There are only
/// as many as recent failures, so that all functions walk the list.
class ReturnedJobs {
  public:
    struct Row {
        std::uint64_t key{};
        JobId job{};
        PromiseStage stage{};
        [[nodiscard]] BURSAR_HD bool is_before(std::uint64_t other_key, JobId other) const {
            return key != other_key ? key < other_key : job < other;
        }
    };

    ReturnedJobs() = default;
    BURSAR_HD ReturnedJobs(ArenaCarver& carver, std::uint32_t capacity)
        : rows_{carver.take<Row>(capacity)}, capacity_{capacity} {}

    BURSAR_HD void clear() { num_ = num_waiting_ = 0; }

    [[nodiscard]] BURSAR_HD std::uint32_t num_waiting() const { return num_waiting_; }

    /// Adds a job that comes back. Precondition: there is room.
    BURSAR_HD void insert(std::uint64_t key, JobId job) {
        assert(num_ < capacity_);
        std::uint32_t at = num_++;
        for (; at > 0 && !rows_[at - 1].is_before(key, job); --at)
            rows_[at] = rows_[at - 1];
        rows_[at] = {key, job, PromiseStage::waiting};
        ++num_waiting_;
    }
    /// Removes a job with a reservation. Returns whether it was in the list.
    BURSAR_HD bool erase_promised(JobId job) {
        std::uint32_t at = place_of(job);
        if (at == num_)
            return false;
        assert(rows_[at].stage == PromiseStage::promised);
        for (--num_; at < num_; ++at)
            rows_[at] = rows_[at + 1];
        return true;
    }
    /// Removes a job at any stage, which is returned; absent if it is not in the list.
    BURSAR_HD std::optional<PromiseStage> erase(JobId job) {
        std::uint32_t at = place_of(job);
        if (at == num_)
            return std::nullopt;
        const PromiseStage stage = rows_[at].stage;
        num_waiting_ -= stage == PromiseStage::waiting ? 1 : 0;
        for (--num_; at < num_; ++at)
            rows_[at] = rows_[at + 1];
        return stage;
    }
    /// Sets the stage of a job. Returns whether it is in the list.
    BURSAR_HD bool move_to(PromiseStage stage, JobId job) {
        const std::uint32_t at = place_of(job);
        if (at == num_)
            return false;
        num_waiting_ -= rows_[at].stage == PromiseStage::waiting ? 1 : 0;
        num_waiting_ += stage == PromiseStage::waiting ? 1 : 0;
        rows_[at].stage = stage;
        return true;
    }

    /// The first row at that stage, from `row` on; num_rows() if there is none.
    [[nodiscard]] BURSAR_HD std::uint32_t first_at(PromiseStage stage, std::uint32_t row) const {
        while (row < num_ && rows_[row].stage != stage)
            ++row;
        return row;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t num_rows() const { return num_; }
    [[nodiscard]] BURSAR_HD const Row& operator[](std::uint32_t row) const { return rows_[row]; }

  private:
    /// num_ if it is not in the list.
    [[nodiscard]] BURSAR_HD std::uint32_t place_of(JobId job) const {
        std::uint32_t at = 0;
        while (at < num_ && rows_[at].job != job)
            ++at;
        return at;
    }

    Row* rows_{};
    [[maybe_unused]] std::uint32_t capacity_{}; ///< asserts alone read it
    std::uint32_t num_{};
    std::uint32_t num_waiting_{};
};

/// The pending jobs of conservative backfilling: those with a reservation and those without one,
/// each in the policy's order, and those that fit no node that is up.
///
/// Policy: an order. If its keys move, a job that comes back waits with the key of its progress;
/// otherwise at its place in the JobOrder.
template <class Policy>
class PromiseQueue {
  public:
    static constexpr QueueMembers has{.start = true, .num_pending = true, .come_back = true};

    using Order = Policy;

    PromiseQueue() = default;
    BURSAR_HD PromiseQueue(ArenaCarver& carver,
                           const RunPlan& plan,
                           const ArenaSize& size,
                           const JobOrderView& order,
                           const Policy& policy)
        : plan_{plan}, order_{order}, policy_{policy}, waiting_{carver, plan, order},
          promised_{carver, plan.num_jobs}, count_{carver.take<std::uint32_t>(plan.num_shapes)},
          next_{carver.take<std::uint32_t>(order.num_lines(plan))},
          hopeless_{carver.take<JobId>(plan.moves ? plan.num_jobs : 0)},
          returned_{carver, moves() ? size.max_carried(plan.num_jobs) : 0} {}

    BURSAR_HD void clear() {
        waiting_.clear();
        promised_.clear();
        returned_.clear();
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            count_[shape] = 0;
        num_promised_ = num_hopeless_ = 0;
    }

    BURSAR_HD void arrive(JobId job) { waiting_.arrive(job); }
    /// A job that was stopped waits again.
    BURSAR_HD void come_back(const WaitingJob& job, const Progress& progress) {
        if (!moves()) {
            waiting_.come_back(job, progress);
            return;
        }
        returned_.insert(policy_.key(view_of_waiting(plan_, job.job, progress)), job.job);
        ++count_[job.shape];
    }

    /// The first job without a reservation gets one.
    BURSAR_HD void promise(const Candidate& first) {
        if (!returned_.move_to(PromiseStage::promised, first.job)) {
            waiting_.start(first);
            promised_.insert(order_.position[first.job]);
            ++count_[first.shape];
        }
        ++num_promised_;
    }
    /// Takes out a job with a reservation.
    BURSAR_HD void start(const Candidate& candidate) {
        if (!returned_.erase_promised(candidate.job))
            promised_.erase(order_.position[candidate.job]);
        --count_[candidate.shape];
        --num_promised_;
    }

    /// The first job without a reservation fits no node that is up, in a plan whose capacity
    /// changes.
    BURSAR_HD void set_aside(const Candidate& first) {
        if (!returned_.move_to(PromiseStage::hopeless, first.job)) {
            waiting_.start(first);
            ++count_[first.shape];
        }
        hopeless_[num_hopeless_++] = first.job;
    }
    /// The same for a job with a reservation.
    BURSAR_HD void set_aside_promised(JobId job) {
        if (!returned_.move_to(PromiseStage::hopeless, job))
            promised_.erase(order_.position[job]);
        --num_promised_;
        hopeless_[num_hopeless_++] = job;
    }
    /// Takes out any job. Cost: a search among those set aside.
    BURSAR_HD void take_out(const Candidate& candidate) {
        const std::uint32_t position = order_.position[candidate.job];
        const std::optional<PromiseStage> returned = returned_.erase(candidate.job);
        std::uint32_t aside = 0;
        while (aside < num_hopeless_ && hopeless_[aside] != candidate.job)
            ++aside;
        if (aside < num_hopeless_) {
            hopeless_[aside] = hopeless_[--num_hopeless_];
        } else if (returned ? *returned == PromiseStage::promised
                            : promised_.first_at_or_after(position) == position) {
            --num_promised_;
            if (!returned)
                promised_.erase(position);
        } else if (!returned) {
            waiting_.take_out(candidate);
            return;
        }
        --count_[candidate.shape];
    }
    /// Capacity has changed: jobs set aside may fit now.
    BURSAR_HD void take_back_all() {
        while (num_hopeless_ > 0) {
            const JobId job = hopeless_[--num_hopeless_];
            if (returned_.move_to(PromiseStage::waiting, job))
                continue;
            --count_[plan_.shape_of(job)];
            waiting_.arrive(job);
        }
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const {
        return num_waiting() + num_promised_ + num_hopeless_;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t num_pending(ShapeId shape) const {
        return waiting_.num_pending(shape) + count_[shape];
    }
    [[nodiscard]] BURSAR_HD std::uint32_t num_promised() const { return num_promised_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_waiting() const {
        return waiting_.num_jobs() + returned_.num_waiting();
    }

    /// The first without a reservation.
    template <class Team>
    [[nodiscard]] BURSAR_HD Candidate first_waiting(const Team& team) const {
        const Candidate first = waiting_.head(team);
        if (returned_.num_waiting() == 0) [[likely]]
            return first;
        const std::uint32_t own = returned_.first_at(PromiseStage::waiting, 0);
        if (!goes_first(own, first.job))
            return first;
        return {returned_[own].job, plan_.shape_of(returned_[own].job)};
    }

    /// Calls `act(job)` for every job with a reservation, in order; it may set that job aside. One
    /// lane calls it. Cost per job: the lines of the order.
    template <class Act>
    BURSAR_HD void for_each_promised(const Act& act) {
        const std::uint32_t num_lines = order_.num_lines(plan_);
        for (std::uint32_t line = 0; line < num_lines; ++line)
            next_[line] = promised_.first_at_or_after(order_.begin_of(line));
        std::uint32_t own = returned_.first_at(PromiseStage::promised, 0);
        for (std::uint32_t left = num_promised_; left > 0; --left) {
            RankedQueue::Head first;
            std::uint32_t from = 0;
            for (std::uint32_t line = 0; line < num_lines; ++line) {
                const std::uint32_t at = next_[line];
                if (at >= order_.end_of(line, plan_)) // BitTree::none is past all positions
                    continue;
                const RankedQueue::Head head{order_.key_at(at), order_.job_at[at], at, {}};
                if (head < first) {
                    first = head;
                    from = line;
                }
            }
            if (own < returned_.num_rows() && goes_first(own, first.job)) {
                const JobId job = returned_[own].job;
                own = returned_.first_at(PromiseStage::promised, own + 1);
                act(job);
            } else {
                next_[from] = promised_.first_at_or_after(first.position + 1);
                act(first.job);
            }
        }
    }

  private:
    [[nodiscard]] BURSAR_HD bool moves() const {
        return traits_of(policy_).motion != KeyMotion::fixed;
    }
    /// Whether a job that has come back goes before `other`, which has not run yet or is no_job().
    [[nodiscard]] BURSAR_HD bool goes_first(std::uint32_t returned, JobId other) const {
        return other == Candidate::no_job() ||
               returned_[returned].is_before(policy_.key(plan_.view(other)), other);
    }

    RunPlan plan_;
    JobOrderView order_;
    Policy policy_;
    RankedQueue waiting_;
    BitTree promised_;       ///< positions of the jobs with a reservation that have not come back
    std::uint32_t* count_{}; ///< jobs not in waiting_, by shape
    std::uint32_t* next_{};  ///< for_each_promised: by line, the next position
    std::uint32_t num_promised_{};
    JobId* hopeless_{}; ///< jobs that fit no node that is up
    std::uint32_t num_hopeless_{};
    ReturnedJobs returned_; ///< used if keys move
};

}} // namespace bursar::sim
