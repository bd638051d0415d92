#pragma once

#include <cstdint>
#include <limits>

#include "models/units/int128.hpp"

#include "sim/arena/arena.hpp"
#include "sim/arena/choice_heap.hpp"
#include "sim/engine/attempts/job_progress.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Victims by value: any running attempt, those with the least toll per GPU first, then later jobs.
/// The rule computes the toll of each, and decides whether their sum is worth paying.
///
/// Rule: toll(value, left, loss, needed) -> int64, >= 0, and pays(value, sum of tolls), as
/// policies/preemption/by_value.hpp says.
/// Tolls change with time, so every choice computes that of every attempt of the pool.
template <class Rule>
class ValueVictims {
  public:
    ValueVictims() = default;
    BURSAR_HD ValueVictims(ArenaCarver& carver, const RunPlan& plan, std::uint32_t max_live)
        : plan_{plan}, slots_{carver.take<AttemptId>(max_live)},
          place_{carver.take<std::uint32_t>(max_live)}, toll_{carver.take<std::int64_t>(max_live)},
          entries_{carver.take<Entry>(max_live)}, held_{carver.take<std::int64_t>(plan.num_pools)} {
    }

    BURSAR_HD void clear() {
        num_ = 0;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            held_[pool] = 0;
    }

    /// Adds an attempt that may be stopped.
    BURSAR_HD void insert(const Attempt& attempt, AttemptId slot) {
        place_[slot] = num_;
        slots_[num_++] = slot;
        held_[attempt.pool] += plan_.current_shapes[attempt.shape].slots();
    }
    BURSAR_HD void erase(const Attempt& attempt, AttemptId slot) {
        const AttemptId last = slots_[--num_];
        slots_[place_[slot]] = last;
        place_[last] = place_[slot];
        held_[attempt.pool] -= plan_.current_shapes[attempt.shape].slots();
    }

    /// Whether stops could make room for `slots`, of which `free` are free, at any toll.
    [[nodiscard]] BURSAR_HD bool
    may_make_room(PoolId pool, std::int64_t slots, std::int64_t free) const {
        return free + held_[pool] >= slots;
    }

    /// Begins to choose for `job`.
    template <class Engine>
    BURSAR_HD void open(Engine& engine, JobId job, PoolId pool) {
        const std::int64_t now_ms = engine.state().now_ms;
        const std::int64_t needed = needed_ms(plan_, job, engine.state().carried.of(job), pool);
        value_ = value_of(job);
        std::uint32_t num = 0;
        for (std::uint32_t i = 0; i < num_; ++i) {
            const Attempt& attempt = engine.state().attempts[slots_[i]];
            if (attempt.pool != pool)
                continue;
            const AttemptId slot = slots_[i];
            toll_[slot] = Rule::toll(
                value_of(attempt.job),
                still_needed_ms(plan_, attempt, engine.state().carried.of(attempt.job), now_ms),
                stop_loss_ms(plan_, attempt, now_ms),
                needed);
            const JobShape& shape = plan_.current_shapes[attempt.shape];
            const std::int64_t slots = shape.slots() > 0 ? shape.slots() : slots_per_gpu;
            const int128 per_gpu = int128{toll_[slot]} * slots_per_gpu / slots;
            constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
            entries_[num++] = {
                per_gpu < max ? static_cast<std::int64_t>(per_gpu) : max, slot, attempt.job};
        }
        heap_ = ChoiceHeap<Entry>{entries_, num};
    }

    /// The next victim; LiveAttempts::none() if there is none.
    [[nodiscard]] BURSAR_HD AttemptId next() {
        return heap_.empty() ? LiveAttempts::none() : heap_.take_first().slot;
    }

    /// Whether stopping these victims, returned by `next`, pays.
    [[nodiscard]] BURSAR_HD bool pays(const AttemptId* slots, std::uint32_t num) const {
        int128 sum = 0;
        for (std::uint32_t i = 0; i < num; ++i)
            sum += toll_[slots[i]];
        return Rule::pays(value_, sum);
    }

    BURSAR_HD void close() {}

  private:
    struct Entry {
        std::int64_t toll_per_gpu{};
        AttemptId slot{};
        JobId job{};
        friend BURSAR_HD bool operator<(const Entry& a, const Entry& b) {
            return a.toll_per_gpu != b.toll_per_gpu ? a.toll_per_gpu < b.toll_per_gpu
                                                    : a.job > b.job;
        }
    };

    [[nodiscard]] BURSAR_HD std::int64_t value_of(JobId job) const {
        return plan_.value_nano_usd == nullptr ? 0 : plan_.value_nano_usd[job];
    }

    RunPlan plan_;
    AttemptId* slots_{};     ///< attempts that may be stopped, unsorted
    std::uint32_t* place_{}; ///< slot -> its place in slots_
    std::int64_t* toll_{};   ///< by slot, as of the choice in progress
    Entry* entries_{};
    ChoiceHeap<Entry> heap_;
    std::int64_t* held_{}; ///< by pool: slots of all that may be stopped
    std::int64_t value_{}; ///< of the waiting job
    std::uint32_t num_{};
};

}} // namespace bursar::sim
