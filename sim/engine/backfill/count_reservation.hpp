#pragma once

#include <cstdint>

#include "sim/engine/backfill/promise.hpp"
#include "sim/engine/backfill/release_calendar.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// EASY's reservation by count: the head's slots in one pool from `at_ms` on.
///
/// Other slots of the pool that are free then are extra: jobs that hold GPUs past that instant may
/// use only the extra ones.
class CountReservation {
  public:
    CountReservation() = default;
    BURSAR_HD CountReservation(ArenaCarver&, const RunPlan&) {}

    /// For a job that fits nowhere now: reserves in the pool in which it can start first, ties in
    /// the broker's order. Returns false if it would not fit any empty pool.
    template <class Engine>
    BURSAR_HD bool make(Engine& engine,
                        ReleaseCalendar& calendar,
                        const Candidate& head,
                        std::int64_t quantum_ms) {
        const RunPlan& plan = engine.plan();
        const JobShape& shape = plan.current_shapes[head.shape];
        const std::uint32_t order = order_of(plan, shape, head.job);
        const std::int64_t now_ms = engine.state().now_ms;
        at_ms_ = ReleaseCalendar::no_time;
        for (std::uint32_t i = 0; i < plan.num_pools; ++i) {
            const PoolId pool{plan.current_order[order + i]};
            if ((shape.permitted_pools >> pool & 1U) == 0)
                continue;
            const std::int64_t wanted = shape.slots() - engine.capacity().balance(pool);
            // A job that outlives its estimate is assumed to end now; this is repeated at each
            // event.
            const ReleaseCalendar::Room room =
                calendar.room_for(pool, wanted, [&](std::int64_t release_ms) {
                    return round_from(release_ms < now_ms ? now_ms : release_ms, quantum_ms);
                });
            if (room.time_ms < at_ms_) {
                at_ms_ = room.time_ms;
                pool_ = pool;
                extra_ = room.slots - wanted;
            }
        }
        return at_ms_ < ReleaseCalendar::no_time;
    }

    [[nodiscard]] BURSAR_HD PoolId pool() const { return pool_; }
    [[nodiscard]] BURSAR_HD std::int64_t at_ms() const { return at_ms_; }

    /// Free slots of the pool for jobs that end before `at_ms` only.
    template <class Capacity>
    [[nodiscard]] BURSAR_HD std::int64_t held_slots(const Capacity& capacity) const {
        const std::int64_t held = capacity.free_slots(pool_) - extra_;
        return held > 0 ? held : 0;
    }

    /// Hides the held slots from the capacity's answers, and shows them again.
    template <class Capacity>
    BURSAR_HD void hide(Capacity& capacity) {
        hidden_ = held_slots(capacity);
        capacity.hide(pool_, hidden_);
    }
    template <class Capacity>
    BURSAR_HD void show(Capacity& capacity) {
        capacity.hide(pool_, -hidden_);
    }

    /// A job that started on `pool` will still hold `slots` at `at_ms`.
    BURSAR_HD void outlived_by(PoolId pool, std::int64_t slots) {
        if (pool == pool_)
            extra_ -= slots;
    }

  private:
    PoolId pool_{};
    std::int64_t at_ms_{};
    std::int64_t extra_{};
    std::int64_t hidden_{};
};

}} // namespace bursar::sim
