#pragma once

#include <cassert>
#include <cstdint>

#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/backfill/fit_frontier.hpp"
#include "sim/engine/backfill/gpu_forecast.hpp"
#include "sim/engine/backfill/instant_needs.hpp"
#include "sim/engine/backfill/line_holders.hpp"
#include "sim/engine/nodes/node_detail.hpp"
#include "sim/engine/nodes/node_lines.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// The forecast of conservative backfilling by node: one for each resource of a node (NodeLines). A
/// promise has nodes and, if GPUs are shared, GPUs: those that the placement chooses among what is
/// believed free from its start to its end. The job starts there.
///
/// The placement runs on a trial capacity that shows only what is free for that long. Cost of a
/// promise: the lines of the pool's nodes, for each instant that is tried.
template <class Capacity>
class NodeForecast {
  public:
    NodeForecast() = default;
    BURSAR_HD NodeForecast(ArenaCarver& carver,
                           const RunPlan& plan,
                           std::uint32_t max_live,
                           const RunOptions& options)
        : plan_{plan}, quantum_ms_{options.quantum_ms}, numbers_{carver, plan},
          pools_{carver.take<GpuForecast>(plan.num_pools)},
          lines_{carver.take<GpuForecast>(numbers_.num())},
          frontiers_{FitFrontier::for_pools(carver, plan)}, holders_{carver, plan, numbers_} {
        const Sizes sizes = sizes_of(plan, numbers_.detail());
        promised_ = PromisedNodes{carver, sizes.pieces};
        // Two steps per piece and line; a line drops past steps only when it changes.
        steps_ = StepNodes{carver,
                           2 * sizes.lines + std::size_t{2} * plan.num_jobs + max_live,
                           std::size_t{plan.num_pools} + numbers_.num()};
        needs_ = InstantNeeds{carver, InstantNeeds::num_jobs_of(plan) == 0 ? 0 : sizes.lines};
        trial_ = Capacity{carver, plan, 1, options}; // one gang at a time
    }

    /// State without running attempts and promises.
    BURSAR_HD void clear() {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            frontiers_[pool].clear();
        trial_.clear();
        start_over_from(trial_);
    }
    /// Starts over with only what is free now. Numbers of GPUs equal those of real ones.
    BURSAR_HD void start_over_from(const Capacity& capacity) {
        only_taken_ = false;
        steps_.clear();
        promised_.clear();
        needs_.clear();
        holders_.clear();
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            pools_[pool] = GpuForecast{capacity.free_slots(pool)};
            const std::uint32_t num = capacity.lines(pool).num();
            for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node) {
                const bool is_up = !capacity.is_offline(pool, node);
                follow(pool, node, is_up);
                for (std::uint32_t line = 0; line < num; ++line)
                    lines_[line_of(pool, node, line)] =
                        GpuForecast{is_up ? capacity.left_on(pool, node, line) : 0};
            }
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

    /// As in CountForecast; never if the empty pool cannot hold the shape.
    template <class Engine>
    [[nodiscard]] BURSAR_HD std::int64_t first_fit(
        Engine&, PoolId pool, const JobShape& shape, std::int64_t from_ms, std::int64_t hold_ms) {
        if (!trial_.fits_when_empty_on(pool, shape))
            return GpuForecast::never;
        // Otherwise a larger gang may fit where a smaller one of another shape does not.
        const bool is_ordered = only_taken_ && numbers_.detail().is_plain();
        std::int64_t at = tick_after(from_ms);
        const std::int64_t ticks = ticks_of_hold(hold_ms);
        if (is_ordered) {
            const std::int64_t known = frontiers_[pool].before(shape.slots(), ticks);
            at = known > at ? known : at;
        }
        const std::int64_t from = at;
        for (bool fits = false; !fits;) {
            at = pools_[pool].first_fit(steps_, at, shape.slots(), ticks, quantum_ms_);
            if (at == GpuForecast::never)
                return at;
            show_free(pool, at, at + ticks);
            fits = trial_.fits_on(pool, shape);
            if (!fits)
                at = GpuForecast::first_tick_from(next_rise(pool, at), quantum_ms_);
        }
        if (is_ordered && at > from) // otherwise it adds no knowledge
            frontiers_[pool].note(shape.slots(), ticks, at);
        return instant_of(at);
    }

    template <class Engine>
    BURSAR_HD void keep(Engine&, JobId job, const JobShape& shape, Promise& promise) {
        const std::int64_t begin = tick_after(promise.start_ms);
        show_free(promise.pool, begin, begin + ticks_of_hold(promise.hold_ms));
        const Grant grant = trial_.take_on(promise.pool, shape, job);
        trial_.for_each_piece(grant, [&](std::uint32_t node, std::uint32_t gpus) {
            add_piece(promise, shape, grant, node, gpus);
        });
        trial_.release(grant, shape);
        if (promise.has_length()) {
            take_promised(promise, shape, promise.begin_tick(), promise.end_tick(), 1);
            return;
        }
        for_each_line(promise, shape, [&](std::uint32_t line, std::int64_t amount) {
            const std::int64_t more = needs_.add(line, promise.start_ms, amount);
            if (promise.begin_tick() > now_) // at the current instant it starts first anyway
                take_for_instant(promise, line, more);
        });
    }
    /// Precondition: a promise without length starts after the current instant.
    BURSAR_HD void drop(const JobShape& shape, const Promise& promise) {
        only_taken_ = false;
        if (promise.has_length()) {
            take_promised(promise, shape, promise.begin_tick(), promise.end_tick(), -1);
        } else {
            for_each_line(promise, shape, [&](std::uint32_t line, std::int64_t amount) {
                take_for_instant(promise, line, -needs_.drop(line, promise.start_ms, amount));
            });
        }
        promised_.drop(promise);
    }

    /// Whether the promised capacity is free now.
    [[nodiscard]] BURSAR_HD bool
    is_free(const Capacity& capacity, const JobShape& shape, const Promise& promise) const {
        const NodeLines lines = capacity.lines(promise.pool);
        bool free = true;
        promised_.for_each(promise, [&](const PromisedPiece& piece) {
            if (piece.is_more)
                return;
            const PieceDemand demand = piece_of(shape, piece.gpus);
            const std::uint32_t gpu = gpu_for(promise, demand, piece);
            free = free && !capacity.is_offline(promise.pool, piece.node) &&
                   (gpu == PlannedPiece::any_gpu
                        ? capacity.free_on(promise.pool, piece.node) >= piece.gpus
                        : capacity.left_on(promise.pool, piece.node, gpu) >= demand.gpu_slots);
            lines.for_rest(demand, [&](std::uint32_t line, std::int64_t amount) {
                free = free && capacity.left_on(promise.pool, piece.node, line) >= amount;
            });
        });
        return free;
    }
    /// Calls `act`, which starts the job on the promised nodes.
    template <class Act>
    BURSAR_HD void with_room_for(Capacity& capacity,
                                 const JobShape& shape,
                                 const Promise& promise,
                                 const Act& act) {
        promised_.for_each(promise, [&](const PromisedPiece& piece) {
            if (!piece.is_more)
                capacity.expect(
                    {piece.node, piece.gpus, gpu_for(promise, piece_of(shape, piece.gpus), piece)});
        });
        act();
    }
    /// As in CountForecast.
    template <class Engine>
    BURSAR_HD void
    begin(Engine& engine, const Promise& promise, const Attempt& attempt, std::int64_t end_ms) {
        const JobShape& shape = plan_.current_shapes[attempt.shape];
        promised_.for_each(promise, [&](const PromisedPiece& piece) {
            holders_.keeps(engine.capacity(), attempt, piece);
        });
        if (!promise.has_length()) {
            for_each_line(promise, shape, [&](std::uint32_t line, std::int64_t amount) {
                needs_.drop(line, promise.start_ms, amount);
            });
        } else if (end_ms != promise.end_ms()) {
            only_taken_ = false;
            take_promised(promise, shape, tick_of_instant(end_ms), promise.end_tick(), -1);
        }
        promised_.drop(promise);
    }
    /// An attempt releases its GPUs, which it was believed to do at `end_ms`.
    template <class Engine>
    BURSAR_HD void gone(Engine& engine, const Attempt& attempt, std::int64_t end_ms) {
        const std::int64_t now_ms = engine.state().now_ms;
        if (end_ms > now_ms) {
            only_taken_ = false;
            const std::int64_t begin = tick_of_instant(now_ms);
            const std::int64_t end = tick_of_instant(end_ms);
            holders_.for_each_line(
                engine.capacity(),
                attempt,
                [&](std::uint32_t line, std::int64_t amount) { take(line, begin, end, -amount); },
                [&](std::int64_t slots) { pools_[attempt.pool].take(steps_, begin, end, -slots); });
        }
        holders_.leaves(engine.capacity(), attempt);
    }
    /// After start_over_from: adds a running attempt, believed to run until `end_ms`.
    template <class Engine>
    BURSAR_HD void running(Engine& engine, const Attempt& attempt, std::int64_t end_ms) {
        const std::int64_t end = tick_of_instant(end_ms);
        holders_.runs(engine.capacity(), attempt);
        holders_.for_each_line(
            engine.capacity(),
            attempt,
            [&](std::uint32_t line, std::int64_t amount) {
                lines_[line].take_from(steps_, end, -amount);
            },
            [&](std::int64_t slots) { pools_[attempt.pool].take_from(steps_, end, -slots); });
    }

    /// As in CountForecast, line by line.
    [[nodiscard]] BURSAR_HD std::int64_t held_slots(const Capacity& capacity, PoolId pool) {
        const NodeLines lines = capacity.lines(pool);
        const std::int64_t slots = lines.shares_gpus ? 1 : slots_per_gpu;
        std::int64_t held = 0;
        for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node) {
            if (capacity.free_slots_on(pool, node) == 0)
                continue;
            for (std::uint32_t i = 0; i < lines.num_gpu_lines; ++i) {
                const std::uint32_t line = line_of(pool, node, i);
                const std::int64_t free = holders_.free_of(capacity, pool, node, i);
                const std::int64_t open =
                    free == 0 ? 0 : lines_[line].least_over(steps_, now_, GpuForecast::never);
                held += (open <= 0 ? free : (open < free ? free - open : 0)) * slots;
            }
        }
        return held;
    }

  private:
    /// Totals over all jobs of a plan: the parts of their gangs, and the lines they use.
    struct Sizes {
        std::size_t pieces{};
        std::size_t lines{};
    };
    [[nodiscard]] BURSAR_HD static Sizes sizes_of(const RunPlan& plan, const NodeDetail& detail) {
        std::uint32_t smallest_node = max_gpus_per_node;
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            if (plan.pools[pool].gpus_per_node < smallest_node)
                smallest_node = plan.pools[pool].gpus_per_node;
        }
        Sizes sizes;
        for (JobId job{0}; job < plan.num_jobs; ++job) {
            const std::size_t nodes = plan.gpus(job) / smallest_node + 1;
            const std::size_t pieces = detail.shares_gpus ? nodes + plan.gpus(job) : nodes;
            sizes.pieces += pieces;
            sizes.lines += pieces + (detail.counts_cpu ? 2 * nodes : 0);
        }
        return sizes;
    }

    /// Makes the trial's node online or offline like the real one.
    BURSAR_HD void follow(PoolId pool, std::uint32_t node, bool is_up) {
        if (trial_.is_offline(pool, node) && is_up)
            trial_.set_online(pool, node);
        else if (!trial_.is_offline(pool, node) && !is_up)
            trial_.set_offline(pool, node);
    }
    /// Limits every node of the trial to what is free from tick `begin` to tick `end`.
    BURSAR_HD void show_free(PoolId pool, std::int64_t begin, std::int64_t end) {
        for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node) {
            if (trial_.is_offline(pool, node))
                continue;
            trial_.limit(pool, node, [&](std::uint32_t line) {
                const std::int64_t free =
                    lines_[line_of(pool, node, line)].least_over(steps_, begin, end);
                return free > 0 ? free : 0;
            });
        }
    }
    /// The next tick at which a line of some node has more free.
    [[nodiscard]] BURSAR_HD std::int64_t next_rise(PoolId pool, std::int64_t after) {
        const std::uint32_t num = trial_.lines(pool).num();
        std::int64_t next = GpuForecast::never;
        for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node) {
            for (std::uint32_t line = 0; line < num; ++line) {
                const std::int64_t own = lines_[line_of(pool, node, line)].next_rise(steps_, after);
                next = own < next ? own : next;
            }
        }
        return next;
    }

    /// Adds a piece that the trial has placed.
    BURSAR_HD void add_piece(Promise& promise,
                             const JobShape& shape,
                             const Grant& grant,
                             std::uint32_t node,
                             std::uint32_t gpus) {
        if (!numbers_.detail().shares_gpus || gpus == 0) {
            promised_.add(promise, {node, gpus, 0, false});
            return;
        }
        if (piece_of(shape, gpus).shares_gpu()) {
            const auto gpu = static_cast<std::uint16_t>(trial_.gpu_of(grant));
            promised_.add(promise, {node, gpus, gpu, false});
            return;
        }
        bool is_more = false;
        for (std::uint32_t gpu = 0; gpu < plan_.pools[promise.pool].gpus_per_node; ++gpu) {
            if (!trial_.is_held_whole(promise.pool, node, gpu))
                continue;
            promised_.add(promise, {node, gpus, static_cast<std::uint16_t>(gpu), is_more});
            is_more = true;
        }
    }
    /// The real GPU for a promised piece.
    [[nodiscard]] BURSAR_HD std::uint32_t
    gpu_for(const Promise& promise, const PieceDemand& demand, const PromisedPiece& piece) const {
        return demand.shares_gpu() ? holders_.gpu_of(line_of(promise.pool, piece.node, piece.gpu))
                                   : PlannedPiece::any_gpu;
    }

    /// Calls `act(line, amount)` for each line that a promised gang uses.
    template <class Act>
    BURSAR_HD void
    for_each_line(const Promise& promise, const JobShape& shape, const Act& act) const {
        const NodeLines lines = trial_.lines(promise.pool);
        promised_.for_each(promise, [&](const PromisedPiece& piece) {
            if (!lines.shares_gpus)
                act(line_of(promise.pool, piece.node, 0), std::int64_t{piece.gpus});
            else if (piece.gpus > 0)
                act(line_of(promise.pool, piece.node, piece.gpu), std::int64_t{shape.gpu_slots});
            if (piece.is_more)
                return;
            lines.for_rest(piece_of(shape, piece.gpus),
                           [&](std::uint32_t line, std::int64_t amount) {
                               act(line_of(promise.pool, piece.node, line), amount);
                           });
        });
    }
    BURSAR_HD void take_promised(const Promise& promise,
                                 const JobShape& shape,
                                 std::int64_t begin,
                                 std::int64_t end,
                                 std::int64_t sign) {
        for_each_line(promise, shape, [&](std::uint32_t line, std::int64_t amount) {
            take(line, begin, end, sign * amount);
        });
        pools_[promise.pool].take(steps_, begin, end, sign * shape.slots());
    }
    BURSAR_HD void
    take(std::uint32_t line, std::int64_t begin, std::int64_t end, std::int64_t amount) {
        lines_[line].advance(steps_, now_);
        lines_[line].take(steps_, begin, end, amount);
    }
    /// Takes what a line must keep for jobs of zero length. The pool's forecast only preselects
    /// instants, so it is not changed.
    BURSAR_HD void
    take_for_instant(const Promise& promise, std::uint32_t line, std::int64_t amount) {
        lines_[line].advance(steps_, now_);
        if (amount != 0)
            lines_[line].take(steps_, promise.begin_tick(), promise.end_tick(), amount);
    }

    [[nodiscard]] BURSAR_HD std::uint32_t
    line_of(PoolId pool, std::uint32_t node, std::uint32_t line) const {
        return numbers_.of(pool, node, line);
    }

    RunPlan plan_;
    std::int64_t quantum_ms_{};
    LineNumbers numbers_;
    GpuForecast* pools_{};     ///< slots
    GpuForecast* lines_{};     ///< by line, in the amounts of NodeLines
    FitFrontier* frontiers_{}; ///< by pool
    LineHolders holders_;
    PromisedNodes promised_;
    StepNodes steps_;
    InstantNeeds needs_;
    Capacity trial_; ///< shows what is free over the last range of show_free()
    std::int64_t now_{};
    bool only_taken_{}; ///< since the last advance, the forecast has only lost free GPUs
};

}} // namespace bursar::sim
