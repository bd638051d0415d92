#pragma once

#include <cstdint>

#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/backfill/promise.hpp"
#include "sim/engine/backfill/release_calendar.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// EASY's reservation by node: from `at_ms` on, the nodes that the placement would choose for the
/// head once all attempts believed to end by then have ended. Jobs that hold GPUs past that instant
/// may use none of these nodes until the head starts.
///
/// Found by tentatively releasing running attempts in the order of their ends until the placement
/// can hold the gang, then taking them back. So nodes, levels and other resources count as at a
/// real start. Cost: the attempts that end before.
class NodeReservation {
  public:
    NodeReservation() = default;
    BURSAR_HD NodeReservation(ArenaCarver& carver, const RunPlan& plan) {
        std::uint32_t max_nodes = 0;
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            if (plan.pools[pool].num_nodes > max_nodes)
                max_nodes = plan.pools[pool].num_nodes;
        }
        nodes_ = carver.take<std::uint32_t>(max_nodes + 1);
    }

    /// As in CountReservation.
    template <class Engine>
    BURSAR_HD bool make(Engine& engine,
                        ReleaseCalendar& calendar,
                        const Candidate& head,
                        std::int64_t quantum_ms) {
        const RunPlan& plan = engine.plan();
        const JobShape& shape = plan.current_shapes[head.shape];
        const std::uint32_t order = order_of(plan, shape, head.job);
        at_ms_ = ReleaseCalendar::no_time;
        for (std::uint32_t i = 0; i < plan.num_pools; ++i) {
            const PoolId pool{plan.current_order[order + i]};
            if ((shape.permitted_pools >> pool & 1U) != 0)
                try_pool(engine, calendar, shape, pool, quantum_ms);
        }
        return at_ms_ < ReleaseCalendar::no_time;
    }

    [[nodiscard]] BURSAR_HD PoolId pool() const { return pool_; }
    [[nodiscard]] BURSAR_HD std::int64_t at_ms() const { return at_ms_; }

    template <class Capacity>
    [[nodiscard]] BURSAR_HD std::int64_t held_slots(const Capacity& capacity) const {
        std::int64_t slots = 0;
        for (std::uint32_t i = 0; i < num_nodes_; ++i)
            slots += capacity.free_slots_on(pool_, nodes_[i]);
        return slots;
    }

    template <class Capacity>
    BURSAR_HD void hide(Capacity& capacity) {
        for (std::uint32_t i = 0; i < num_nodes_; ++i)
            capacity.close(pool_, nodes_[i]);
    }
    template <class Capacity>
    BURSAR_HD void show(Capacity& capacity) {
        for (std::uint32_t i = 0; i < num_nodes_; ++i)
            capacity.open(pool_, nodes_[i]);
    }

    BURSAR_HD void outlived_by(PoolId /*pool*/, std::int64_t /*slots*/) {}

  private:
    /// Reserves the pool and its nodes if the head can start there before `at_ms`.
    template <class Engine>
    BURSAR_HD void try_pool(Engine& engine,
                            ReleaseCalendar& calendar,
                            const JobShape& shape,
                            PoolId pool,
                            std::int64_t quantum_ms) {
        auto& capacity = engine.capacity();
        const auto with_grant_of = [&](AttemptId slot, const auto& act) {
            const Attempt& attempt = engine.state().attempts[slot];
            act(Grant{attempt.pool, attempt.level, attempt.first_piece},
                engine.plan().current_shapes[attempt.shape]);
        };
        const std::int64_t now_ms = engine.state().now_ms;
        std::int64_t fits_at = ReleaseCalendar::no_time;
        std::uint32_t num_lent = 0;
        calendar.for_each_release(pool, [&](std::int64_t release_ms, AttemptId slot) {
            // A job that outlives its estimate is assumed to end now.
            const std::int64_t at =
                round_from(release_ms < now_ms ? now_ms : release_ms, quantum_ms);
            // All attempts that end at the same instant have ended when the head starts.
            if (at >= at_ms_ || (fits_at != ReleaseCalendar::no_time && at != fits_at))
                return false;
            with_grant_of(
                slot, [&](const Grant& grant, const JobShape& of) { capacity.lend(grant, of); });
            ++num_lent;
            if (fits_at == ReleaseCalendar::no_time && capacity.fits_on(pool, shape))
                fits_at = at;
            return true;
        });
        if (fits_at < at_ms_) {
            at_ms_ = fits_at;
            pool_ = pool;
            keep_nodes(capacity, shape);
        }
        calendar.for_each_release(pool, [&](std::int64_t, AttemptId slot) {
            if (num_lent == 0)
                return false;
            with_grant_of(
                slot, [&](const Grant& grant, const JobShape& of) { capacity.reclaim(grant, of); });
            --num_lent;
            return true;
        });
    }

    template <class Capacity>
    BURSAR_HD void keep_nodes(Capacity& capacity, const JobShape& shape) {
        const Grant grant = capacity.take_on(pool_, shape, JobId{0});
        num_nodes_ = 0;
        capacity.for_each_piece(
            grant, [&](std::uint32_t node, std::uint32_t) { nodes_[num_nodes_++] = node; });
        capacity.release(grant, shape);
    }

    PoolId pool_{};
    std::int64_t at_ms_{};
    std::uint32_t* nodes_{}; ///< reserved for the head
    std::uint32_t num_nodes_{};
};

}} // namespace bursar::sim
