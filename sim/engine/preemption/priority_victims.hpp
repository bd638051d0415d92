#pragma once

#include <cassert>
#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

#include "sim/arena/arena.hpp"
#include "sim/arena/choice_heap.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/preemption/victim_order.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The level of a job by priority, in the upper bits of a key: 0 for the highest priority in the
/// plan, 1 for the next, and so on. Beyond 2^23 different priorities the lowest ones share a level.
struct PriorityLevel {
    static constexpr unsigned shift = 41; ///< the lower bits hold any time
    static constexpr std::uint64_t max = (std::uint64_t{1} << (64 - shift)) - 2;

    [[nodiscard]] BURSAR_HD static constexpr std::uint64_t key_of(std::uint64_t level) {
        return (level < max ? level : max) << shift;
    }
    /// The largest key of a job of `level`.
    [[nodiscard]] BURSAR_HD static constexpr std::uint64_t last_key_of(std::uint64_t level) {
        return ((level + 1) << shift) - 1;
    }
    [[nodiscard]] BURSAR_HD static constexpr std::uint64_t of(std::uint64_t key) {
        return key >> shift;
    }
};

/// Victims by priority: running attempts of a lower priority than the waiting job, the lowest
/// first; within a level those that lose the least GPU time (stop_loss), then larger gangs, then
/// later jobs.
///
/// If all jobs save their state at a stop, losses never change: the order is fixed and kept in a
/// heap. Otherwise losses grow while attempts run, faster for large gangs, and the order keeps
/// changing: every choice then compares all attempts that may be stopped.
class PriorityVictims {
  public:
    PriorityVictims() = default;
    BURSAR_HD PriorityVictims(ArenaCarver& carver, const RunPlan& plan, std::uint32_t max_live)
        : plan_{plan}, orders_{carver.take<VictimOrder>(plan.num_pools)},
          choices_{carver.take<Choice>(max_live)}, losses_move_{losses_move(plan)} {
        const PlaceOfSlot places{carver, max_live};
        bool* in_front = carver.take<bool>(max_live);
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            const VictimOrder order{carver, max_live, places, in_front};
            if (orders_ != nullptr)
                orders_[pool] = order;
        }
    }

    BURSAR_HD void clear() {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            orders_[pool].clear();
    }

    /// Adds an attempt that may be stopped. level: PriorityLevel of its job.
    BURSAR_HD void insert(const Attempt& attempt, AttemptId slot, std::uint64_t level) {
        const JobShape& shape = plan_.current_shapes[attempt.shape];
        const Rank own{PriorityLevel::key_of(level) | cheapness(attempt),
                       std::uint64_t{shape.gpus} << 32U | attempt.job};
        orders_[attempt.pool].insert({own, slot, static_cast<std::int32_t>(shape.slots())});
    }
    BURSAR_HD void erase(const Attempt& attempt, AttemptId slot) {
        orders_[attempt.pool].erase(slot);
    }

    /// Whether stops could make room for `slots`, of which `free` are free: by count, from what is
    /// known without further search. False is certain.
    [[nodiscard]] BURSAR_HD bool
    may_make_room(std::uint64_t level, PoolId pool, std::int64_t slots, std::int64_t free) const {
        const VictimOrder& order = orders_[pool];
        const Rank bound = first_stoppable(level);
        for (std::uint32_t i = 0; free < slots; ++i) {
            if (i == order.num_front())
                return order.has_more() && bound < order.next().rank;
            if (!(bound < order[i].rank))
                return false;
            free += order[i].num_slots();
        }
        return true;
    }

    /// Begins to choose for a job of `level`.
    template <class Engine>
    BURSAR_HD void open(Engine& engine, std::uint64_t level, PoolId pool) {
        pool_ = pool;
        bound_ = first_stoppable(level);
        next_ = 0;
        if (losses_move_)
            gather(engine.state());
    }

    /// The next victim; LiveAttempts::none() if there is none.
    [[nodiscard]] BURSAR_HD AttemptId next() {
        if (losses_move_)
            return heap_.empty() ? LiveAttempts::none() : heap_.take_first().slot;
        return is_stoppable(next_) ? orders_[pool_][next_++].attempt : LiveAttempts::none();
    }

    /// Ends the choice, and drops what was read in vain.
    BURSAR_HD void close() { orders_[pool_].trim(next_); }

  private:
    /// A candidate victim of the job being served.
    struct Choice {
        int128 loss{};         ///< slot-ms
        std::uint64_t level{}; ///< of its priority; a larger one is less urgent
        AttemptId slot{};
        std::uint32_t gpus{};
        JobId job{};
        friend BURSAR_HD bool operator<(const Choice& a, const Choice& b) {
            if (a.level != b.level)
                return a.level > b.level;
            if (a.loss != b.loss)
                return a.loss < b.loss;
            return a.gpus != b.gpus ? a.gpus > b.gpus : a.job > b.job;
        }
    };

    /// The bits below a key's level.
    static constexpr std::int64_t max_fixed_loss = (std::int64_t{1} << PriorityLevel::shift) - 1;

    /// Loss of a gang of `slots` at a stop that saves all its work.
    [[nodiscard]] BURSAR_HD static int128 fixed_loss(const PlanClass& job_class,
                                                     std::int64_t slots) {
        return int128{slots} * (job_class.save + job_class.write + job_class.recovery).count();
    }

    /// Whether the order of losses changes while attempts run (or a loss does not fit into a key).
    [[nodiscard]] BURSAR_HD static bool losses_move(const RunPlan& plan) {
        std::int64_t largest = 0;
        for (ShapeId shape{0}; shape < plan.num_shapes; ++shape) {
            const std::int64_t slots = plan.current_shapes[shape].slots();
            largest = slots > largest ? slots : largest;
        }
        for (std::uint32_t i = 0; i < plan.num_classes; ++i) {
            if (!saves_at_stop(plan.classes[i].checkpoint, StopCause::preempted) ||
                fixed_loss(plan.classes[i], largest) > max_fixed_loss)
                return true;
        }
        return false;
    }

    /// Ranks above this one have less urgent levels.
    [[nodiscard]] BURSAR_HD static Rank first_stoppable(std::uint64_t level) {
        return {PriorityLevel::last_key_of(level), ~std::uint64_t{0}};
    }

    /// Larger for smaller losses; 0 if losses change.
    [[nodiscard]] BURSAR_HD std::uint64_t cheapness(const Attempt& attempt) const {
        if (losses_move_)
            return 0;
        const std::int64_t slots = plan_.current_shapes[attempt.shape].slots();
        const auto loss =
            static_cast<std::int64_t>(fixed_loss(plan_.classes[attempt.job_class], slots));
        return static_cast<std::uint64_t>(max_fixed_loss - loss);
    }

    /// Whether there is a victim `i`; sorts up to it if needed.
    [[nodiscard]] BURSAR_HD bool is_stoppable(std::uint32_t i) {
        VictimOrder& order = orders_[pool_];
        if (i < order.num_front())
            return bound_ < order[i].rank;
        assert(i == order.num_front());
        if (!order.has_more() || !(bound_ < order.next().rank))
            return false;
        order.bring();
        return true;
    }

    /// All attempts that may be stopped, by their current loss.
    BURSAR_HD void gather(const RunState& state) {
        std::uint32_t num = 0;
        orders_[pool_].for_each([&](const Victim& victim) {
            if (!(bound_ < victim.rank))
                return;
            const Attempt& attempt = state.attempts[victim.attempt];
            choices_[num++] = {stop_loss(plan_, attempt, state.now_ms),
                               PriorityLevel::of(victim.rank.key),
                               victim.attempt,
                               plan_.current_shapes[attempt.shape].gpus,
                               attempt.job};
        });
        heap_ = ChoiceHeap<Choice>{choices_, num};
    }

    RunPlan plan_;
    VictimOrder* orders_{}; ///< by pool
    Choice* choices_{};
    bool losses_move_{};

    // State of the choice in progress.
    PoolId pool_{};
    Rank bound_{};
    std::uint32_t next_{};    ///< if losses are fixed: place in the order of the pool
    ChoiceHeap<Choice> heap_; ///< if losses change
};

}} // namespace bursar::sim
