#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/arena/arena.hpp"
#include "sim/arena/bit_tree.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/record/outcome.hpp"
#include "sim/team/team.hpp"

namespace bursar::inline sim {

/// Which pending jobs could have started, had only the number of free GPUs mattered.
enum class PlaceWatch : std::uint8_t {
    nothing, ///< capacity is counted: a place never lacks
    head,    ///< the head alone: those behind it wait for it, whatever it waits for
    all      ///< as many as free GPUs would hold, the smallest gangs first
};

/// Adds up what waits for a place and not for GPUs (PlaceWait). Cost per instant: a look at the
/// head, or at the shapes of those who wait that are no larger than what is free.
class PlaceClock {
  public:
    PlaceClock() = default;
    PlaceClock(const Plan& plan, PlaceWatch watch)
        : plan_{&plan}, watch_{watch}, begin_ms_{plan.measure_from.count()},
          end_ms_{plan.measure_to ? plan.measure_to->count() : horizon_ms} {
        if (watch != PlaceWatch::all)
            return;
        pending_.assign(plan.shapes.size(), 0);
        free_.resize(plan.pools.size());
        for (ShapeId shape{0}; shape < plan.shapes.size(); ++shape)
            by_slots_.push_back(shape);
        std::ranges::stable_sort(
            by_slots_, {}, [&](ShapeId shape) { return plan.shapes[shape].slots(); });
        if (!plan.fallbacks.empty())
            keep_ranks();
    }
    PlaceClock(PlaceClock&&) = default;
    PlaceClock& operator=(PlaceClock&&) = default;

    void started(JobId job) { change(job, -1); }
    void preempted(JobId job) {
        change(job, 1);
        waits(job);
    }

    /// What waits from this instant on.
    template <class State, class Queue, class Capacity>
    void settled(const State& state, const Queue& queue, const Capacity& capacity) {
        if (watch_ == PlaceWatch::nothing)
            return;
        pass_to(state.now_ms);
        shapes_ = state.shapes_of(*plan_);
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

    /// What was added up to the end of the run; nothing where nothing was watched.
    [[nodiscard]] std::optional<PlaceWait> take(std::int64_t end_ms) {
        pass_to(end_ms);
        return watch_ == PlaceWatch::nothing ? std::nullopt : std::optional{wait_};
    }

  private:
    /// Where most jobs have a shape of their own, those of who waits are a set.
    [[gnu::noinline, gnu::cold]] void keep_ranks() {
        const auto num_shapes = static_cast<std::uint32_t>(by_slots_.size());
        rank_.resize(num_shapes);
        for (std::uint32_t rank = 0; rank < num_shapes; ++rank)
            rank_[by_slots_[rank]] = rank;
        ArenaCarver measure{nullptr};
        BitTree{measure, num_shapes};
        waiting_words_.resize(measure.used() / sizeof(std::uint64_t));
        ArenaCarver carver{reinterpret_cast<std::byte*>(waiting_words_.data())};
        waiting_ = BitTree{carver, num_shapes};
    }

    void change(JobId job, std::int64_t by) {
        if (watch_ == PlaceWatch::all)
            pending_[plan_->shape[job]] += by;
    }
    void waits(JobId job) {
        if (!rank_.empty()) [[unlikely]]
            waiting_.insert(rank_[plan_->shape[job]]);
    }
    /// Calls `look(shape)`, the smallest gang first, for every shape that jobs may wait with, until
    /// it returns false.
    template <class Look>
    void for_each_waiting(const Look& look) {
        if (!rank_.empty()) [[unlikely]]
            return for_each_rank(look);
        for (const ShapeId shape : by_slots_)
            if (!look(shape))
                return;
    }
    /// Who has started since is forgotten.
    template <class Look>
    [[gnu::noinline, gnu::cold]] void for_each_rank(const Look& look) {
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
    void look_at(ShapeId shape, const Capacity& capacity) {
        const JobShape& own = shapes_[shape];
        if (capacity.fits(own)) // it waits for something else, such as a round
            return;
        for (PoolId pool{0}; pool < plan_->pools.size(); ++pool) {
            if ((own.permitted_pools >> pool & 1U) == 0 || capacity.free_slots(pool) < own.slots())
                continue;
            jobs_ = 1;
            slots_ = own.slots();
            return;
        }
    }

    template <class Capacity>
    void look_at_all(const Capacity& capacity) {
        std::int64_t most = 0;
        for (PoolId pool{0}; pool < free_.size(); ++pool) {
            free_[pool] = capacity.free_slots(pool);
            most = std::max(most, free_[pool]);
        }
        for_each_waiting([&](ShapeId shape) {
            const JobShape& own = shapes_[shape];
            if (own.slots() > most)
                return false;
            std::int64_t left = pending_[shape];
            if (left == 0 || own.slots() == 0 || capacity.fits(own))
                return true;
            for (std::size_t pool = 0; pool < free_.size(); ++pool) {
                if ((own.permitted_pools >> pool & 1U) == 0)
                    continue;
                const std::int64_t jobs = std::min(left, free_[pool] / own.slots());
                left -= jobs;
                free_[pool] -= jobs * own.slots();
                jobs_ += jobs;
                slots_ += jobs * own.slots();
            }
            return true;
        });
    }

    void pass_to(std::int64_t now_ms) {
        const std::int64_t until = std::min(now_ms, end_ms_);
        if (until <= begin_ms_)
            return;
        if (jobs_ > 0) { // most often nobody
            wait_.job_ms += int128{until - begin_ms_} * jobs_;
            wait_.slot_ms += int128{until - begin_ms_} * slots_;
        }
        begin_ms_ = until;
    }

    const Plan* plan_{};
    const JobShape* shapes_{}; ///< as the run has them now
    PlaceWatch watch_{PlaceWatch::nothing};
    std::int64_t begin_ms_{}; ///< of the window; grows to what is added up
    std::int64_t end_ms_{};
    std::uint32_t num_arrived_{};
    std::vector<std::int64_t> pending_; ///< jobs per shape
    std::vector<ShapeId> by_slots_;     ///< shapes, the smallest gang first
    std::vector<std::uint32_t> rank_;   ///< of a shape in by_slots_
    std::vector<std::uint64_t> waiting_words_;
    BitTree waiting_;                ///< in waiting_words_: ranks of shapes with pending jobs
    std::vector<std::int64_t> free_; ///< scratch: slots per pool
    std::int64_t jobs_{};
    std::int64_t slots_{};
    PlaceWait wait_;
};

} // namespace bursar::inline sim
