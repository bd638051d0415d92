#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"
#include "sim/arena/prefetch.hpp"
#include "sim/engine/attempts/carried_jobs.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/queues/job_order_view.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/job_group.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The queue of policies with keys fixed before the run: pending jobs by their positions in the
/// policy's order. The cost of arrivals and starts does not grow with the queue.
///
/// Jobs are in lines, one for each shape or one for all (OrderLayout). The first few jobs of a line
/// are stored directly, as its front; the others are a set of positions. A job that arrives near
/// the front, and so starts soon, never enters the set. A choice compares the heads of all lines
/// with pending jobs.
class RankedQueue {
  public:
    static constexpr QueueMembers has{.start = true,
                                      .head = true,
                                      .first_where = true,
                                      .for_each_shape = true,
                                      .num_pending = true,
                                      .give_back = true,
                                      .come_back = true};

    /// A pending job with its rank; by default one that comes after all.
    struct Head {
        std::uint64_t key{~std::uint64_t{0}}; ///< 0 with one line
        JobId job{Candidate::no_job()};
        std::uint32_t position{};
        ShapeId shape{};
        friend BURSAR_HD bool operator<(const Head& a, const Head& b) {
            return a.key != b.key ? a.key < b.key : a.job < b.job;
        }
    };

    RankedQueue() = default;
    BURSAR_HD RankedQueue(ArenaCarver& carver, const PlanView& plan, const JobOrderView& order)
        : plan_{plan}, order_{order}, behind_{carver, plan.num_jobs},
          lines_{carver.take<Line>(order.num_lines(plan))},
          heads_{carver.take<Head>(order.num_lines(plan))},
          count_{carver.take<std::uint32_t>(plan.num_shapes)} {}

    BURSAR_HD void clear() {
        behind_.clear();
        for (std::uint32_t line = 0; line < order_.num_lines(plan_); ++line)
            lines_[line].num_in_front = lines_[line].num_behind = 0;
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            count_[shape] = 0;
        num_heads_ = 0;
        num_jobs_ = num_apart_ = 0;
    }

    BURSAR_HD void arrive(JobId job) {
        const ShapeId shape = plan_.shape_of(job);
        const std::uint32_t position = order_.position[job];
        ++num_jobs_;
        ++count_[shape];
        fetch_key_behind(job);
        Line& line = lines_[order_.line_of(shape)];
        if (!line.front_takes(position)) {
            behind_.insert(position);
            ++line.num_behind;
            return;
        }
        if (line.num_in_front == Line::front_size) {
            behind_.insert(line.front[0].position);
            ++line.num_behind;
            line.drop(0);
        }
        if (line.num_in_front == 0)
            line.place = num_heads_++;
        if (line.add({order_.key_at(position), job, position, shape}))
            heads_[line.place] = line.head();
    }

    /// A job that was stopped waits again, at its place in the order.
    BURSAR_HD void come_back(const WaitingJob& job, const Progress&) { arrive(job.job); }
    /// Returns a job that was taken out.
    BURSAR_HD void give_back(const Candidate& job, const Progress&) { arrive(job.job); }
    /// Never: there is room for all jobs of the plan.
    [[nodiscard]] BURSAR_HD static constexpr bool full() { return false; }
    /// Adds to the number of waiting jobs that a pass keeps apart, and that are not offered.
    BURSAR_HD void count_apart(int change) { num_apart_ += static_cast<std::uint32_t>(change); }
    [[nodiscard]] BURSAR_HD std::uint64_t level_of(JobId job) const { return order_.level_of(job); }

    /// Takes out the head of a line.
    BURSAR_HD void start(const Candidate& candidate) {
        Line& line = lines_[order_.line_of(candidate.shape)];
        assert(line.head().job == candidate.job);
        --num_jobs_;
        --count_[candidate.shape];
        const std::uint32_t position = line.head().position;
        --line.num_in_front;
        if (line.num_in_front == 0 && line.num_behind > 0)
            fill_front(line, candidate.shape, position);
        if (line.num_in_front > 0)
            heads_[line.place] = line.head();
        else
            drop_head(line.place);
    }

    /// Takes out a pending job.
    BURSAR_HD void take_out(const Candidate& candidate) {
        Line& line = lines_[order_.line_of(candidate.shape)];
        if (line.head().job == candidate.job) {
            start(candidate);
            return;
        }
        --num_jobs_;
        --count_[candidate.shape];
        const std::uint32_t position = order_.position[candidate.job];
        if (position <= line.front[0].position) {
            line.drop(line.place_of(position));
        } else {
            behind_.erase(position);
            --line.num_behind;
        }
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num_jobs() const { return num_jobs_ + num_apart_; }
    [[nodiscard]] BURSAR_HD std::uint32_t num_pending(ShapeId shape) const { return count_[shape]; }

    /// The first job in order, whether it fits or not.
    template <class Team>
    [[nodiscard]] BURSAR_HD Candidate head(const Team& team) const {
        if (num_heads_ == 1)
            return {heads_[0].job, heads_[0].shape};
        return first_where(team, [](std::uint32_t) { return true; });
    }

    /// The first job in order whose shape passes `fits(shape)`. With one line: the first of all, if
    /// it passes.
    template <class Team, class Fits>
    [[nodiscard]] BURSAR_HD Candidate first_where(const Team& team, Fits fits) const {
        const Head best = team.minimum(
            num_heads_,
            [&](std::uint32_t i) { return fits(heads_[i].shape) ? heads_[i] : Head{}; },
            Head{});
        return {best.job, best.shape};
    }

    /// Preconditions: laid out by shape; num_pending(shape) > 0.
    [[nodiscard]] BURSAR_HD const Head& head_of(ShapeId shape) const {
        return lines_[shape].head();
    }

    /// Calls `act(shape)` for every shape with pending jobs, shared among the lanes. Precondition:
    /// laid out by shape.
    template <class Team, class Act>
    BURSAR_HD void for_each_shape(const Team& team, Act act) const {
        assert(!order_.is_one_line());
        team.for_each(num_heads_, [&](std::uint32_t i) { act(heads_[i].shape); });
    }

    /// The first in order of the jobs that `pick(shape, head) -> job` returns for each shape with
    /// pending jobs, where `head` is the first of the shape; it may return no_job(). Precondition:
    /// laid out by shape.
    template <class Team, class Pick>
    [[nodiscard]] BURSAR_HD Head first_picked(const Team& team, const Pick& pick) const {
        assert(!order_.is_one_line());
        return team.minimum(
            num_heads_,
            [&](std::uint32_t i) {
                const Head& head = heads_[i];
                const JobId job = pick(head.shape, head.job);
                if (job == Candidate::no_job())
                    return Head{};
                if (job == head.job)
                    return head;
                const std::uint32_t position = order_.position[job];
                return Head{order_.key_at(position), job, position, head.shape};
            },
            Head{});
    }

  private:
    /// The first pending jobs of a line, and the number behind them. The front is empty only if the
    /// line is.
    struct Line {
        static constexpr std::uint32_t front_size = 4;

        Head front[front_size]; ///< the head is the last
        std::uint32_t num_in_front{};
        std::uint32_t num_behind{};
        std::uint32_t place{}; ///< of its head in heads_, if it has one

        [[nodiscard]] BURSAR_HD const Head& head() const { return front[num_in_front - 1]; }
        [[nodiscard]] BURSAR_HD bool front_takes(std::uint32_t position) const {
            return num_in_front == 0 || position < front[0].position ||
                   (num_behind == 0 && num_in_front < front_size);
        }
        [[nodiscard]] BURSAR_HD std::uint32_t place_of(std::uint32_t position) const {
            std::uint32_t at = 0;
            while (front[at].position != position)
                ++at;
            return at;
        }
        BURSAR_HD void drop(std::uint32_t at) {
            for (--num_in_front; at < num_in_front; ++at)
                front[at] = front[at + 1];
        }
        /// Inserts a job. Returns whether it is now the head. Precondition: there is room.
        BURSAR_HD bool add(const Head& own) {
            std::uint32_t at = num_in_front++;
            const std::uint32_t last = at;
            for (; at > 0 && front[at - 1].position < own.position; --at)
                front[at] = front[at - 1];
            front[at] = own;
            return at == last;
        }
    };

    /// Keys of successive arrivals are far apart in memory, so that of a later arrival is
    /// prefetched.
    BURSAR_HD void fetch_key_behind(JobId job) const {
        constexpr std::uint32_t distance = 4;
        if (!order_.is_one_line() && plan_.num_jobs - job > distance)
            prefetch(order_.key + order_.position[job + distance]);
    }

    /// Refills the front of a line from the positions after `position`, that of its last job.
    BURSAR_HD void fill_front(Line& line, ShapeId shape, std::uint32_t position) {
        constexpr std::uint32_t most =
            Line::front_size / 2; // leaves room for jobs that come before them
        line.num_in_front = line.num_behind < most ? line.num_behind : most;
        line.num_behind -= line.num_in_front;
        for (std::uint32_t at = line.num_in_front; at-- > 0;) {
            position = behind_.first_at_or_after(position + 1);
            behind_.erase(position);
            const JobId job = order_.job_at[position];
            if (order_.is_one_line())
                shape = ShapeId{order_.shape_at[position]};
            line.front[at] = {order_.key_at(position), job, position, shape};
            plan_.prefetch_start_of(job);
        }
    }

    /// Removes the head of a line that has become empty.
    BURSAR_HD void drop_head(std::uint32_t place) {
        if (place == --num_heads_)
            return;
        heads_[place] = heads_[num_heads_];
        lines_[order_.line_of(heads_[place].shape)].place = place;
    }

    PlanView plan_;
    JobOrderView order_;
    BitTree behind_; ///< positions of pending jobs that are in no front
    Line* lines_{};
    Head* heads_{};          ///< of the lines with pending jobs, unsorted
    std::uint32_t* count_{}; ///< shape -> its pending jobs
    std::uint32_t num_heads_{};
    std::uint32_t num_jobs_{};
    std::uint32_t num_apart_{};
};

}} // namespace bursar::sim
