#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/record/place_wait.hpp"
#include "sim/team/team.hpp"

namespace bursar { inline namespace sim {

/// Which pending jobs are watched: would they start if only the number of free GPUs mattered?
enum class PlaceWatch : std::uint8_t {
    nothing, ///< capacity is counted: jobs never wait for a place
    head,    ///< the head alone: jobs behind it wait for it
    all      ///< as many as fit into the free GPUs by number, smallest gangs first
};

/// The shapes of a plan, smallest gang first: the order of PlaceClock.
[[nodiscard]] inline std::vector<ShapeId> shapes_by_slots(const Plan& plan) {
    std::vector<ShapeId> shapes;
    for (ShapeId shape{0}; shape < plan.shapes.size(); ++shape)
        shapes.push_back(shape);
    std::ranges::stable_sort(shapes, {}, [&](ShapeId shape) { return plan.shapes[shape].slots(); });
    return shapes;
}

/// Adds up jobs that wait for a place, not for GPUs (PlaceWait). Cost per instant: a check of the
/// head, or of the shapes of waiting jobs that are no larger than what is free.
class PlaceClock {
  public:
    PlaceClock() = default;
    /// Takes memory from `carver`. by_slots: shapes_by_slots(), read if all are watched. It, the
    /// plan's columns and the memory must outlive the clock.
    BURSAR_HD
    PlaceClock(ArenaCarver& carver, const PlanView& plan, PlaceWatch watch, const ShapeId* by_slots)
        : shape_of_{plan.shape}, planned_{plan.shapes}, by_slots_{by_slots},
          num_shapes_{plan.num_shapes}, num_pools_{plan.num_pools}, watch_{watch},
          begin_ms_{plan.window_begin_ms},
          end_ms_{plan.has_window_end ? plan.window_end_ms : horizon_ms} {
        if (watch != PlaceWatch::all)
            return;
        pending_ = carver.take<std::int64_t>(num_shapes_);
        free_ = carver.take<std::int64_t>(num_pools_);
        if (plan.num_fallbacks == 0)
            return;
        // With fallbacks most jobs have their own shape; a set holds those of waiting jobs.
        rank_ = carver.take<std::uint32_t>(num_shapes_);
        waiting_ = BitTree{carver, num_shapes_};
    }

    /// Call before the first instant.
    BURSAR_HD void clear() {
        if (watch_ != PlaceWatch::all)
            return;
        for (std::uint32_t shape = 0; shape < num_shapes_; ++shape)
            pending_[shape] = 0;
        if (rank_ == nullptr)
            return;
        for (std::uint32_t rank = 0; rank < num_shapes_; ++rank)
            rank_[by_slots_[rank]] = rank;
        waiting_.clear();
    }

    BURSAR_HD void started(JobId job) { change(job, -1); }
    BURSAR_HD void preempted(JobId job) {
        change(job, 1);
        waits(job);
    }

    /// Determines which jobs wait for a place from this instant on.
    template <class State, class Queue, class Capacity>
    BURSAR_HD void settled(const State& state, const Queue& queue, const Capacity& capacity) {
        if (watch_ == PlaceWatch::nothing)
            return;
        pass_to(state.now_ms);
        shapes_ = state.shapes_of(planned_);
        if (watch_ == PlaceWatch::all)
            for (; num_arrived_ < state.next_arrival; ++num_arrived_) {
                change(JobId{num_arrived_}, 1);
                waits(JobId{num_arrived_});
            }
        jobs_ = slots_ = 0;
        if (queue.num_jobs() == 0)
            return;
        if (watch_ == PlaceWatch::all)
            look_at_all(capacity);
        else if constexpr (Queue::has.head)
            look_at(queue.head(OneLane{}).shape, capacity);
    }

    /// The total up to the end of the run; 0 if nothing was watched.
    [[nodiscard]] BURSAR_HD PlaceWait take(std::int64_t end_ms) {
        pass_to(end_ms);
        return wait_;
    }

  private:
    BURSAR_HD void change(JobId job, std::int64_t by) {
        if (watch_ == PlaceWatch::all)
            pending_[shape_of_[job]] += by;
    }
    BURSAR_HD void waits(JobId job) {
        if (rank_ != nullptr) [[unlikely]]
            waiting_.insert(rank_[shape_of_[job]]);
    }
    /// Calls `look(shape)`, smallest gang first, for every shape that waiting jobs may have, until
    /// it returns false.
    template <class Look>
    BURSAR_HD void for_each_waiting(const Look& look) {
        if (rank_ != nullptr) [[unlikely]]
            return for_each_rank(look);
        for (std::uint32_t rank = 0; rank < num_shapes_; ++rank)
            if (!look(by_slots_[rank]))
                return;
    }
    /// Also removes shapes whose jobs have all started.
    template <class Look>
    [[gnu::noinline, gnu::cold]] BURSAR_HD void for_each_rank(const Look& look) {
        for (std::uint32_t rank = waiting_.first_at_or_after(0); rank != BitTree::none;
             rank = waiting_.first_at_or_after(rank + 1)) {
            const ShapeId shape = by_slots_[rank];
            if (pending_[shape] == 0)
                waiting_.erase(rank);
            else if (!look(shape))
                return;
        }
    }

    template <class Capacity>
    BURSAR_HD void look_at(ShapeId shape, const Capacity& capacity) {
        const JobShape& own = shapes_[shape];
        if (capacity.fits(own)) // it waits for another reason, such as a scheduling round
            return;
        for (PoolId pool{0}; pool < num_pools_; ++pool) {
            if ((own.permitted_pools >> pool & 1U) == 0 || capacity.free_slots(pool) < own.slots())
                continue;
            jobs_ = 1;
            slots_ = own.slots();
            return;
        }
    }

    template <class Capacity>
    BURSAR_HD void look_at_all(const Capacity& capacity) {
        std::int64_t most = 0;
        for (PoolId pool{0}; pool < num_pools_; ++pool) {
            free_[pool] = capacity.free_slots(pool);
            most = most < free_[pool] ? free_[pool] : most;
        }
        for_each_waiting([&](ShapeId shape) {
            const JobShape& own = shapes_[shape];
            if (own.slots() > most)
                return false;
            std::int64_t left = pending_[shape];
            if (left == 0 || own.slots() == 0 || capacity.fits(own))
                return true;
            for (std::size_t pool = 0; pool < num_pools_; ++pool) {
                if ((own.permitted_pools >> pool & 1U) == 0)
                    continue;
                const std::int64_t held = free_[pool] / own.slots();
                const std::int64_t jobs = left < held ? left : held;
                left -= jobs;
                free_[pool] -= jobs * own.slots();
                jobs_ += jobs;
                slots_ += jobs * own.slots();
            }
            return true;
        });
    }

    BURSAR_HD void pass_to(std::int64_t now_ms) {
        const std::int64_t until = now_ms < end_ms_ ? now_ms : end_ms_;
        if (until <= begin_ms_)
            return;
        if (jobs_ > 0) { // most often none
            wait_.job_ms += int128{until - begin_ms_} * jobs_;
            wait_.slot_ms += int128{until - begin_ms_} * slots_;
        }
        begin_ms_ = until;
    }

    const std::uint16_t* shape_of_{}; ///< of each job
    const JobShape* planned_{};       ///< shapes
    const JobShape* shapes_{};        ///< the current ones of the run
    const ShapeId* by_slots_{};
    std::uint32_t num_shapes_{};
    std::uint32_t num_pools_{};
    PlaceWatch watch_{PlaceWatch::nothing};
    std::int64_t begin_ms_{}; ///< of the window; then the time up to which waits are added
    std::int64_t end_ms_{};
    std::uint32_t num_arrived_{};
    std::int64_t* pending_{}; ///< jobs per shape
    std::uint32_t* rank_{};   ///< of a shape in by_slots_; null: shapes are few
    BitTree waiting_;         ///< ranks of shapes with pending jobs
    std::int64_t* free_{};    ///< scratch: slots per pool
    std::int64_t jobs_{};
    std::int64_t slots_{};
    PlaceWait wait_;
};

}} // namespace bursar::sim
