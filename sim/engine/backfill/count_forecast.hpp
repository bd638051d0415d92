#pragma once

#include <cstdint>

#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/backfill/fit_frontier.hpp"
#include "sim/engine/backfill/gpu_forecast.hpp"
#include "sim/engine/backfill/instant_needs.hpp"
#include "sim/engine/backfill/promise.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The forecast of conservative backfilling by count: the free slots of each pool over time.
class CountForecast {
  public:
    CountForecast() = default;
    BURSAR_HD CountForecast(ArenaCarver& carver,
                            const RunPlan& plan,
                            std::uint32_t max_live,
                            const RunOptions& options)
        : plan_{plan}, quantum_ms_{options.quantum_ms},
          pools_{carver.take<GpuForecast>(plan.num_pools)},
          frontiers_{FitFrontier::for_pools(carver, plan)},
          // Two steps per promise, one per running attempt.
          nodes_{carver, std::size_t{2} * plan.num_jobs + max_live, plan.num_pools},
          needs_{carver, InstantNeeds::num_jobs_of(plan)} {}

    /// State without running attempts and promises.
    BURSAR_HD void clear() {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            frontiers_[pool].clear();
        start_over([&](PoolId pool) { return plan_.pools[pool].num_gpus() * slots_per_gpu; });
    }
    /// Starts over with only the current free slots.
    template <class Capacity>
    BURSAR_HD void start_over_from(const Capacity& capacity) {
        start_over([&](PoolId pool) { return capacity.balance(pool); });
    }
    /// Drops the past.
    BURSAR_HD void advance(std::int64_t now_ms) {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            pools_[pool].advance(nodes_, tick_after(now_ms));
        if (only_taken_)
            return;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            frontiers_[pool].forget();
        only_taken_ = true;
    }

    /// The first instant (with rounds: the first round) from which a pool can hold a shape for
    /// `hold_ms`, or never. from_ms: an instant or round at which the search begins.
    template <class Engine>
    [[nodiscard]] BURSAR_HD std::int64_t first_fit(
        Engine&, PoolId pool, const JobShape& shape, std::int64_t from_ms, std::int64_t hold_ms) {
        const std::int64_t from = tick_after(from_ms);
        const std::int64_t ticks = ticks_of_hold(hold_ms);
        const std::int64_t known = only_taken_ ? frontiers_[pool].before(shape.slots(), ticks) : 0;
        const std::int64_t first = known > from ? known : from;
        const std::int64_t fit =
            pools_[pool].first_fit(nodes_, first, shape.slots(), ticks, quantum_ms_);
        if (fit == GpuForecast::never)
            return GpuForecast::never;
        if (only_taken_ && fit > first) // otherwise it adds no knowledge
            frontiers_[pool].note(shape.slots(), ticks, fit);
        return instant_of(fit);
    }

    template <class Engine>
    BURSAR_HD void
    keep(Engine& engine, std::uint32_t /*job*/, const JobShape& shape, Promise& promise) {
        if (promise.has_length()) {
            take(promise, shape.slots());
            return;
        }
        const std::int64_t more = needs_.add(promise.pool, promise.start_ms, shape.slots());
        if (promise.start_ms >
            engine.state().now_ms) // at the current instant it starts first anyway
            take(promise, more);
    }
    /// Precondition: a promise without length starts after the current instant.
    BURSAR_HD void drop(const JobShape& shape, const Promise& promise) {
        only_taken_ = false;
        take(promise,
             promise.has_length() ? -shape.slots()
                                  : -needs_.drop(promise.pool, promise.start_ms, shape.slots()));
    }

    /// Whether the promised capacity is free now.
    template <class Capacity>
    [[nodiscard]] BURSAR_HD bool
    is_free(const Capacity& capacity, const JobShape& shape, const Promise& promise) const {
        return capacity.free_slots(promise.pool) >= shape.slots();
    }
    /// Calls `act` with the capacity showing only what the promised job may take now.
    template <class Capacity, class Act>
    BURSAR_HD void with_room_for(Capacity&, const JobShape&, const Promise&, const Act& act) {
        act();
    }
    /// The promised attempt begins now, and is believed to run until `end_ms`.
    template <class Engine>
    BURSAR_HD void
    begin(Engine&, const Promise& promise, const Attempt& attempt, std::int64_t end_ms) {
        if (!promise.has_length())
            needs_.drop(promise.pool, promise.start_ms, slots_of(attempt));
        else if (end_ms != promise.end_ms())
            free_up(attempt, end_ms, promise.end_ms());
    }
    /// An attempt releases its GPUs, which it was believed to do at `end_ms`.
    template <class Engine>
    BURSAR_HD void gone(Engine& engine, const Attempt& attempt, std::int64_t end_ms) {
        if (end_ms > engine.state().now_ms)
            free_up(attempt, engine.state().now_ms, end_ms);
    }
    /// After start_over_from: adds a running attempt, believed to run until `end_ms`.
    template <class Engine>
    BURSAR_HD void running(Engine&, const Attempt& attempt, std::int64_t end_ms) {
        pools_[attempt.pool].take_from(nodes_, tick_of_instant(end_ms), -slots_of(attempt));
    }

    /// Free slots of a pool that are promised to later starts.
    template <class Capacity>
    [[nodiscard]] BURSAR_HD std::int64_t held_slots(const Capacity& capacity, PoolId pool) {
        const std::int64_t free = capacity.free_slots(pool);
        if (free == 0)
            return 0;
        const std::int64_t open = pools_[pool].least(nodes_);
        return open <= 0 ? free : (open < free ? free - open : 0);
    }

  private:
    template <class FreeSlots>
    BURSAR_HD void start_over(const FreeSlots& free_slots) {
        only_taken_ = false;
        nodes_.clear();
        needs_.clear();
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            pools_[pool] = GpuForecast{free_slots(pool)};
    }
    BURSAR_HD void take(const Promise& promise, std::int64_t slots) {
        pools_[promise.pool].take(nodes_, promise.begin_tick(), promise.end_tick(), slots);
    }
    BURSAR_HD void free_up(const Attempt& attempt, std::int64_t begin_ms, std::int64_t end_ms) {
        only_taken_ = false;
        pools_[attempt.pool].take(
            nodes_, tick_of_instant(begin_ms), tick_of_instant(end_ms), -slots_of(attempt));
    }
    [[nodiscard]] BURSAR_HD std::int64_t slots_of(const Attempt& attempt) const {
        return plan_.current_shapes[attempt.shape].slots();
    }

    RunPlan plan_;
    std::int64_t quantum_ms_{};
    GpuForecast* pools_{};
    FitFrontier* frontiers_{}; ///< by pool
    StepNodes nodes_;
    InstantNeeds needs_;
    bool only_taken_{}; ///< since the last advance, the forecast has only lost free GPUs
};

}} // namespace bursar::sim
