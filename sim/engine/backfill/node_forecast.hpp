#pragma once

#include <cstdint>

#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/backfill/fit_frontier.hpp"
#include "sim/engine/backfill/gpu_forecast.hpp"
#include "sim/engine/backfill/instant_needs.hpp"
#include "sim/engine/backfill/promised_nodes.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/plan/ids.hpp"

namespace bursar::inline sim {

/// What conservative backfilling plans on where nodes matter: a forecast per node. A promise names
/// its nodes: those which the placement takes of what is free from its start to its end, by all
/// that is believed. It is kept on these nodes.
///
/// The placement is asked on a capacity of its own, on which only what is free for so long shows.
/// Cost of a promise: for each instant at which it is tried, the nodes of the pool.
template <class Capacity>
class NodeForecast {
  public:
    NodeForecast() = default;
    BURSAR_HD NodeForecast(ArenaCarver& carver,
                           const PlanView& plan,
                           std::uint32_t max_live,
                           const RunOptions& options)
        : plan_{plan}, pools_{carver.take<GpuForecast>(plan.num_pools)},
          first_node_{carver.take<std::uint32_t>(plan.num_pools + 1)},
          frontiers_{FitFrontier::for_pools(carver, plan)} {
        std::uint32_t num_nodes = 0;
        for (PoolId pool{0}; pool < plan.num_pools; ++pool)
            num_nodes += plan.pools[pool].num_nodes;
        nodes_ = carver.take<GpuForecast>(num_nodes);
        hidden_ = carver.take<std::uint32_t>(num_nodes);
        const std::size_t max_pieces = PromisedNodes::max_pieces_of(plan);
        promised_ = PromisedNodes{carver, max_pieces};
        // Each piece of each job begins and ends, on its node; a node forgets only when it changes.
        steps_ = StepNodes{carver,
                           2 * max_pieces + std::size_t{2} * plan.num_jobs + max_live,
                           std::size_t{plan.num_pools} + num_nodes};
        needs_ = InstantNeeds{carver, InstantNeeds::num_jobs_of(plan) == 0 ? 0 : max_pieces};
        trial_ = Capacity{carver, plan, 1, options}; // one gang at a time
    }

    /// Nothing runs and nothing is promised.
    BURSAR_HD void clear() {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            frontiers_[pool].clear();
        first_node_[0] = 0;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            first_node_[pool + 1] = first_node_[pool] + plan_.pools[pool].num_nodes;
        trial_.clear();
        start_over_from(trial_);
    }
    /// Only what is free now is known.
    BURSAR_HD void start_over_from(const Capacity& capacity) {
        only_taken_ = false;
        steps_.clear();
        promised_.clear();
        needs_.clear();
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            pools_[pool] = GpuForecast{capacity.free_slots(pool) / slots_per_gpu};
            for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node)
                on_node(pool, node) = GpuForecast{capacity.free_on(pool, node)};
        }
    }
    BURSAR_HD void advance(std::int64_t now_ms) {
        now_ = tick_after(now_ms);
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            pools_[pool].advance(steps_, now_);
        if (only_taken_)
            return;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            frontiers_[pool].forget();
        only_taken_ = true;
    }

    /// As CountForecast has it; never where the empty pool cannot hold the shape.
    template <class Engine>
    [[nodiscard]] BURSAR_HD std::int64_t first_fit(
        Engine&, PoolId pool, const JobShape& shape, std::int64_t from_ms, std::int64_t hold_ms) {
        if (!trial_.fits_on(pool, shape))
            return GpuForecast::never;
        // With levels a larger gang may find room where a smaller one of another shape does not.
        const bool is_ordered = only_taken_ && plan_.num_levels == 1;
        std::int64_t at = tick_after(from_ms);
        const std::int64_t ticks = ticks_of_hold(hold_ms);
        if (is_ordered) {
            const std::int64_t known = frontiers_[pool].before(shape.slots(), ticks);
            at = known > at ? known : at;
        }
        const std::int64_t from = at;
        for (bool fits = false; !fits;) {
            at = pools_[pool].first_fit(steps_, at, shape.gpus, ticks);
            hide_taken(pool, at, at + ticks);
            fits = trial_.fits_on(pool, shape);
            show_all(trial_, pool);
            if (!fits)
                at = tick_after(instant_of(next_rise(pool, at)));
        }
        if (is_ordered && at > from) // else nothing was learned
            frontiers_[pool].note(shape.slots(), ticks, at);
        return instant_of(at);
    }

    template <class Engine>
    BURSAR_HD void keep(Engine&, JobId job, const JobShape& shape, Promise& promise) {
        const std::int64_t begin = tick_after(promise.start_ms);
        hide_taken(promise.pool, begin, begin + ticks_of_hold(promise.hold_ms));
        const Grant grant = trial_.take_on(promise.pool, shape, job);
        trial_.for_each_piece(grant, [&](std::uint32_t node, std::uint32_t gpus) {
            promised_.add(promise, node, gpus);
        });
        trial_.release(grant, shape);
        show_all(trial_, promise.pool);
        if (promise.has_length()) {
            take_promised(promise, promise.begin_tick(), promise.end_tick(), 1);
            return;
        }
        promised_.for_each(promise, [&](std::uint32_t node, std::uint32_t gpus) {
            const std::int64_t more =
                needs_.add(first_node_[promise.pool] + node, promise.start_ms, gpus);
            if (promise.begin_tick() > now_) // now it goes first anyway
                take_on_node(promise, node, more);
        });
    }
    /// Precondition: of a job of no length, it is for later.
    BURSAR_HD void drop(const JobShape&, const Promise& promise) {
        only_taken_ = false;
        if (promise.has_length()) {
            take_promised(promise, promise.begin_tick(), promise.end_tick(), -1);
        } else {
            promised_.for_each(promise, [&](std::uint32_t node, std::uint32_t gpus) {
                take_on_node(promise, node, -drop_need(promise, node, gpus));
            });
        }
        promised_.drop(promise);
    }

    /// Whether what is promised is free now.
    [[nodiscard]] BURSAR_HD bool
    is_free(const Capacity& capacity, const JobShape&, const Promise& promise) const {
        bool free = true;
        promised_.for_each(promise, [&](std::uint32_t node, std::uint32_t gpus) {
            free = free && capacity.free_on(promise.pool, node) >= gpus;
        });
        return free;
    }
    /// Calls `act` with the capacity showing the nodes of a promise only, as far as promised.
    template <class Act>
    BURSAR_HD void with_room_for(Capacity& capacity, const Promise& promise, const Act& act) {
        const std::uint32_t first = first_node_[promise.pool];
        for (std::uint32_t node = 0; first + node < first_node_[promise.pool + 1]; ++node)
            hidden_[first + node] = capacity.free_on(promise.pool, node);
        promised_.for_each(promise, [&](std::uint32_t node, std::uint32_t gpus) {
            hidden_[first + node] -= gpus;
        });
        hide(capacity, promise.pool);
        act();
        show_all(capacity, promise.pool);
    }
    /// As CountForecast has it; the attempt is on the nodes of the promise.
    template <class Engine>
    BURSAR_HD void
    begin(Engine&, const Promise& promise, const Attempt& /*attempt*/, std::int64_t end_ms) {
        if (!promise.has_length()) {
            promised_.for_each(promise, [&](std::uint32_t node, std::uint32_t gpus) {
                drop_need(promise, node, gpus);
            });
        } else if (end_ms != promise.end_ms()) {
            only_taken_ = false;
            take_promised(promise, tick_of_instant(end_ms), promise.end_tick(), -1);
        }
        promised_.drop(promise);
    }
    template <class Engine>
    BURSAR_HD void end_early(Engine& engine, const Attempt& attempt, std::int64_t end_ms) {
        only_taken_ = false;
        for_each_piece(engine, attempt, [&](std::uint32_t node, std::int64_t gpus) {
            take(attempt.pool,
                 node,
                 tick_of_instant(engine.state().now_ms),
                 tick_of_instant(end_ms),
                 -gpus);
        });
    }
    template <class Engine>
    BURSAR_HD void running(Engine& engine, const Attempt& attempt, std::int64_t end_ms) {
        for_each_piece(engine, attempt, [&](std::uint32_t node, std::int64_t gpus) {
            pools_[attempt.pool].take_from(steps_, tick_of_instant(end_ms), -gpus);
            on_node(attempt.pool, node).take_from(steps_, tick_of_instant(end_ms), -gpus);
        });
    }

    /// As CountForecast has it, node by node.
    [[nodiscard]] BURSAR_HD std::int64_t held_slots(const Capacity& capacity, PoolId pool) const {
        std::int64_t held = 0;
        for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node) {
            const std::int64_t free = capacity.free_on(pool, node);
            if (free == 0)
                continue;
            const std::int64_t open =
                nodes_[first_node_[pool] + node].least_over(steps_, now_, GpuForecast::never);
            held += open <= 0 ? free : (open < free ? free - open : 0);
        }
        return held * slots_per_gpu;
    }

  private:
    [[nodiscard]] BURSAR_HD GpuForecast& on_node(PoolId pool, std::uint32_t node) {
        return nodes_[first_node_[pool] + node];
    }

    /// Leaves to see, of every node of the trial, what is free from tick `begin` to tick `end`.
    BURSAR_HD void hide_taken(PoolId pool, std::int64_t begin, std::int64_t end) {
        const std::int64_t all = plan_.pools[pool].gpus_per_node;
        for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node) {
            const std::int64_t free = on_node(pool, node).least_over(steps_, begin, end);
            hidden_[first_node_[pool] + node] =
                static_cast<std::uint32_t>(free <= 0 ? all : (free < all ? all - free : 0));
        }
        hide(trial_, pool);
    }
    BURSAR_HD void hide(Capacity& capacity, PoolId pool) const {
        for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node) {
            if (hidden_[first_node_[pool] + node] > 0)
                capacity.hide(pool, node, hidden_[first_node_[pool] + node]);
        }
    }
    BURSAR_HD void show_all(Capacity& capacity, PoolId pool) const {
        for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node) {
            if (hidden_[first_node_[pool] + node] > 0)
                capacity.show(pool, node, hidden_[first_node_[pool] + node]);
        }
    }

    /// The next tick at which more of some node is free.
    [[nodiscard]] BURSAR_HD std::int64_t next_rise(PoolId pool, std::int64_t after) {
        std::int64_t next = GpuForecast::never;
        for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node) {
            const std::int64_t own = on_node(pool, node).next_rise(steps_, after);
            next = own < next ? own : next;
        }
        return next;
    }

    BURSAR_HD void
    take(PoolId pool, std::uint32_t node, std::int64_t begin, std::int64_t end, std::int64_t gpus) {
        on_node(pool, node).advance(steps_, now_);
        pools_[pool].take(steps_, begin, end, gpus);
        on_node(pool, node).take(steps_, begin, end, gpus);
    }
    BURSAR_HD void
    take_promised(const Promise& promise, std::int64_t begin, std::int64_t end, std::int64_t sign) {
        promised_.for_each(promise, [&](std::uint32_t node, std::uint32_t gpus) {
            take(promise.pool, node, begin, end, sign * std::int64_t{gpus});
        });
    }
    /// What a node must keep for jobs of no length; the pool, which is looked at first, need not
    /// know.
    BURSAR_HD void take_on_node(const Promise& promise, std::uint32_t node, std::int64_t gpus) {
        GpuForecast& forecast = on_node(promise.pool, node);
        forecast.advance(steps_, now_);
        if (gpus != 0)
            forecast.take(steps_, promise.begin_tick(), promise.end_tick(), gpus);
    }
    BURSAR_HD std::int64_t
    drop_need(const Promise& promise, std::uint32_t node, std::uint32_t gpus) {
        return needs_.drop(first_node_[promise.pool] + node, promise.start_ms, gpus);
    }
    template <class Engine, class Act>
    BURSAR_HD static void for_each_piece(Engine& engine, const Attempt& attempt, const Act& act) {
        engine.capacity().for_each_piece(Grant{attempt.pool, attempt.level, attempt.first_piece},
                                         act);
    }

    PlanView plan_;
    GpuForecast* pools_{};
    GpuForecast* nodes_{};        ///< pool after pool
    std::uint32_t* first_node_{}; ///< of each pool, and the number of nodes
    std::uint32_t* hidden_{};     ///< by node: GPUs put out of sight for a moment
    FitFrontier* frontiers_{};    ///< by pool
    PromisedNodes promised_;
    StepNodes steps_;
    InstantNeeds needs_;
    Capacity trial_; ///< all free, but for a moment
    std::int64_t now_{};
    bool only_taken_{}; ///< no GPU has come free against the forecast since the last advance
};

} // namespace bursar::inline sim
