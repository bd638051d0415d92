#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/nodes/gang_placer.hpp"
#include "sim/engine/nodes/node_detail.hpp"
#include "sim/engine/nodes/placement_traits.hpp"
#include "sim/engine/nodes/pool_nodes.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// `capacity: nodes` with all details: whole and shared GPUs, CPU and memory, locality levels, and
/// any placement that scores nodes. A gang takes the fewest nodes that can hold it: whole nodes and
/// one smaller piece for the rest.
///
/// Placement: see gang_placer.hpp; made from RunOptions::placement. `reads_jobs()`: it reads
/// FleetView::jobs_of_shape; `reads_kinds()`: it reads NodeView::kinds.
///
/// Cost per placement: the number of distinct node states in the pool, usually only those changed
/// since the last search for this shape; with locality levels, the number of nodes for a gang of
/// several nodes.
template <class Placement>
class ScoredCapacity {
  public:
    static constexpr CapacityMembers has{.prepare = true, .close = true};
    static constexpr bool counts_only = false;

    ScoredCapacity() = default;
    BURSAR_HD ScoredCapacity(ArenaCarver& carver,
                             const RunPlan& plan,
                             std::uint32_t max_live,
                             const RunOptions& options)
        : plan_{plan}, placement_{options.placement}, order_{placement_.order()},
          in_any_pool_{options.placement.in_any_pool}, detail_{detail_for(plan, placement_)},
          pools_{carver.take<PoolNodes>(plan.num_pools)}, rows_{carver, plan},
          jobs_of_shape_{carver.take<std::uint32_t>(plan.num_shapes)} {
        std::uint32_t max_pieces = max_live;
        std::uint32_t max_nodes = 0;
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            PoolNodes nodes;
            nodes.states = NodeStates{carver, plan.pools[pool], pool, detail_};
            nodes.groups = NodeGroups{carver, plan, pool};
            nodes.best = BestNodes{carver, rows_.num(), nodes.states.num_slots()};
            if (pools_ != nullptr)
                pools_[pool] = nodes;
            max_pieces +=
                plan.pools[pool].num_nodes; // whole nodes, in addition to one piece per attempt
            max_nodes =
                plan.pools[pool].num_nodes > max_nodes ? plan.pools[pool].num_nodes : max_nodes;
        }
        // Lenders keep their pieces while as many other gangs take them, and one more gang is
        // tried.
        max_pieces = 2 * max_pieces + max_nodes + 1;
        pieces_ = GangPieceLists{carver, max_pieces};
        expected_ = carver.take<PlannedPiece>(max_nodes);
    }

    BURSAR_HD void clear() {
        fleet_ = FleetView{};
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            const PlanPool& spec = plan_.pools[pool];
            pools_[pool].states.clear(spec);
            pools_[pool].groups.clear(plan_);
            pools_[pool].best.clear();
            pools_[pool].num_all_free = spec.num_nodes;
            raise(fleet_.max_slots, spec.gpus_per_node * std::int64_t{slots_per_gpu});
            raise(fleet_.max_cpu_milli, spec.cpu_milli);
            raise(fleet_.max_memory_mib, spec.memory_mib);
        }
        pieces_.clear();
        num_expected_ = 0;
        for (ShapeId shape{0}; shape < plan_.num_shapes; ++shape)
            jobs_of_shape_[shape] = 0;
        if (placement_.reads_jobs()) {
            for (JobId job{0}; job < plan_.num_jobs; ++job)
                ++jobs_of_shape_[plan_.shape[job]];
        }
        fleet_.shapes = plan_.current_shapes;
        fleet_.jobs_of_shape = jobs_of_shape_;
        fleet_.num_shapes = plan_.num_shapes;
    }

    [[nodiscard]] BURSAR_HD std::int64_t free_slots(PoolId pool) const {
        return pools_[pool].states.free_slots();
    }

    /// Whether nothing fits, whatever its shape.
    [[nodiscard]] BURSAR_HD bool is_full() const {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            if (pools_[pool].states.free_slots() > 0)
                return false;
        }
        return !detail_.has_cpu_jobs;
    }

    /// shape: one of the plan's. Any lane may call it, with any shape.
    [[nodiscard]] BURSAR_HD bool fits(const JobShape& shape) const {
        return first_pool(plan_, shape, [&](PoolId pool) { return has_room(shape, pool); }) <
               plan_.num_pools;
    }

    /// One lane calls it.
    [[nodiscard]] BURSAR_HD bool fits_on(PoolId pool, const JobShape& shape) {
        prepare_on(pool, shape);
        return (shape.permitted_pools >> pool & 1U) != 0 && has_room(shape, pool);
    }

    /// Makes fits() of a shape a table look-up until something changes; answers stay the same. One
    /// lane calls it, or several for different shapes.
    BURSAR_HD void prepare(const JobShape& shape) {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            prepare_on(pool, shape);
    }

    /// Precondition: fits(shape).
    BURSAR_HD Grant take(const JobShape& shape, JobId job) {
        std::uint32_t start = 0;
        const PoolId pool = choose_pool(shape, job, start);
        assert(pool < plan_.num_pools);
        return place(pool, shape, start);
    }
    /// Takes nodes of one pool, those of expect() if it was called. Precondition: fits_on(pool,
    /// shape).
    BURSAR_HD Grant take_on(PoolId pool, const JobShape& shape, JobId job) {
        assert(fits_on(pool, shape));
        if (num_expected_ > 0) {
            const std::uint32_t num = num_expected_;
            num_expected_ = 0;
            return placer(pool, shape).place_at(shape, expected_, num);
        }
        const std::uint32_t start =
            draws() ? placement_.first_node(job, plan_.pools[pool].num_nodes) : 0;
        return place(pool, shape, start);
    }

    BURSAR_HD void release(const Grant& grant, const JobShape& shape) {
        lend(grant, shape);
        for (std::uint32_t at = grant.first_piece; at != GangPieceLists::none;)
            at = pieces_.drop(at);
    }

    /// Tentatively frees what a running gang holds.
    BURSAR_HD void lend(const Grant& grant, const JobShape& shape) {
        for (std::uint32_t at = grant.first_piece; at != GangPieceLists::none;
             at = pieces_[at].next) {
            const GangPieceLists::Piece& piece = pieces_[at];
            change(grant.pool, piece.node, [&](NodeStates& states) {
                states.release(piece.node, piece_of(shape, piece.gpus), piece.gpu);
            });
        }
    }
    /// Undoes lend(). Precondition: nodes taken since have been released.
    BURSAR_HD void reclaim(const Grant& grant, const JobShape& shape) {
        for (std::uint32_t at = grant.first_piece; at != GangPieceLists::none;
             at = pieces_[at].next) {
            const GangPieceLists::Piece& piece = pieces_[at];
            change(grant.pool, piece.node, [&](NodeStates& states) {
                states.retake(piece.node, piece_of(shape, piece.gpus), piece.gpu);
            });
        }
    }

    /// Unused GPUs of a node, and free slots of all its GPUs.
    [[nodiscard]] BURSAR_HD std::uint32_t free_on(PoolId pool, std::uint32_t node) const {
        return view_of(pool, node).free_gpus;
    }
    [[nodiscard]] BURSAR_HD std::int64_t free_slots_on(PoolId pool, std::uint32_t node) const {
        return view_of(pool, node).free_slots;
    }
    /// Hides everything free on a node from all answers, also what becomes free, and shows it
    /// again.
    BURSAR_HD void close(PoolId pool, std::uint32_t node) {
        change(pool, node, [&](NodeStates& states) { states.close(node); });
    }
    BURSAR_HD void open(PoolId pool, std::uint32_t node) {
        change(pool, node, [&](NodeStates& states) { states.open(node); });
    }

    // As in NodeCapacity, line by line.
    [[nodiscard]] BURSAR_HD NodeLines lines(PoolId pool) const {
        return pools_[pool].states.lines();
    }
    [[nodiscard]] BURSAR_HD std::int64_t
    left_on(PoolId pool, std::uint32_t node, std::uint32_t line) const {
        return pools_[pool].states.left(node, line);
    }
    [[nodiscard]] BURSAR_HD bool
    is_held_whole(PoolId pool, std::uint32_t node, std::uint32_t gpu) const {
        return pools_[pool].states.is_held_whole(node, gpu);
    }
    template <class LeftOf>
    BURSAR_HD void limit(PoolId pool, std::uint32_t node, const LeftOf& left_of) {
        change(pool, node, [&](NodeStates& states) { states.limit(node, left_of); });
    }
    BURSAR_HD void expect(const PlannedPiece& piece) { expected_[num_expected_++] = piece; }
    /// The shared GPU of a gang's only piece.
    [[nodiscard]] BURSAR_HD std::uint32_t gpu_of(const Grant& grant) const {
        return pieces_[grant.first_piece].gpu;
    }

    /// As in NodeCapacity.
    BURSAR_HD void set_offline(PoolId pool, std::uint32_t node) {
        change(pool, node, [&](NodeStates& states) { states.set_offline(node); });
    }
    BURSAR_HD void set_online(PoolId pool, std::uint32_t node) {
        change(pool, node, [&](NodeStates& states) { states.set_online(node); });
    }
    [[nodiscard]] BURSAR_HD bool is_offline(PoolId pool, std::uint32_t node) const {
        return pools_[pool].states.is_offline(node);
    }
    /// Nodes with all their GPUs free.
    [[nodiscard]] BURSAR_HD std::uint32_t num_empty(PoolId pool) const {
        return pools_[pool].num_all_free;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t last_empty(PoolId pool) const {
        const std::uint32_t num_nodes = plan_.pools[pool].num_nodes;
        for (std::uint32_t node = num_nodes; num_empty(pool) > 0 && node-- > 0;)
            if (pools_[pool].states.is_empty(node))
                return node;
        return num_nodes;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t num_for_rest(PoolId pool, const JobShape& shape) const {
        const NodeStates& states = pools_[pool].states;
        const PieceDemand rest = pieces_on(shape, pool).rest;
        std::uint32_t num = 0;
        for (std::uint32_t i = 0; i < states.num_live(); ++i) {
            const NodeView node = states.view(states.live(i));
            if (node.free_gpus < plan_.pools[pool].gpus_per_node && node.fits(rest))
                num += states.num_in(states.live(i));
        }
        return num;
    }
    [[nodiscard]] BURSAR_HD std::int64_t offline_slots(PoolId pool) const {
        return pools_[pool].states.offline_slots();
    }
    [[nodiscard]] BURSAR_HD bool fits_when_empty(const JobShape& shape) const {
        return first_pool(plan_, shape, [&](PoolId pool) {
                   return fits_when_empty_on(pool, shape);
               }) < plan_.num_pools;
    }
    [[nodiscard]] BURSAR_HD bool fits_when_empty_on(PoolId pool, const JobShape& shape) const {
        return pools_[pool].holds_when_empty(plan_, shape, pieces_on(shape, pool));
    }

    /// Calls `act(node, gpus)` for each part of a gang.
    template <class Act>
    BURSAR_HD void for_each_piece(const Grant& grant, const Act& act) const {
        for (std::uint32_t at = grant.first_piece; at != GangPieceLists::none;
             at = pieces_[at].next)
            act(pieces_[at].node, pieces_[at].gpus);
    }

  private:
    [[nodiscard]] BURSAR_HD bool draws() const { return order_ == NodeOrder::from_a_node; }

    BURSAR_HD void prepare_on(PoolId pool, const JobShape& shape) {
        if ((shape.permitted_pools >> pool & 1U) == 0 ||
            pools_[pool].states.free_slots() < shape.slots())
            return;
        const GangPieces gang = pieces_on(shape, pool);
        if (gang.is_single())
            pools_[pool].best.update(
                rows_.of_rest(shape), pools_[pool].states, gang.rest, placement_, fleet_);
    }

    [[nodiscard]] BURSAR_HD NodeView view_of(PoolId pool, std::uint32_t node) const {
        return pools_[pool].states.view(pools_[pool].states.slot_of(node));
    }
    /// Updates the number of nodes with all GPUs free around `act(states)`, which changes a node.
    template <class Act>
    BURSAR_HD void change(PoolId pool_index, std::uint32_t node, const Act& act) {
        PoolNodes& pool = pools_[pool_index];
        const bool had_all = pool.states.has_all_gpus(node);
        act(pool.states);
        if (had_all == pool.states.has_all_gpus(node))
            return;
        const int more = had_all ? -1 : 1;
        pool.num_all_free += static_cast<std::uint32_t>(more);
        pool.groups.count_all_free(plan_, node, more);
    }

    [[nodiscard]] BURSAR_HD GangPlacer<Placement> placer(PoolId pool, const JobShape& shape) {
        return {plan_,
                fleet_,
                placement_,
                order_,
                pool,
                pools_[pool],
                pieces_,
                rows_.of_rest(shape),
                rows_.of_whole(shape)};
    }
    BURSAR_HD Grant place(PoolId pool, const JobShape& shape, std::uint32_t start) {
        return placer(pool, shape).place(shape, pieces_on(shape, pool), start);
    }

    [[nodiscard]] BURSAR_HD static NodeDetail detail_for(const RunPlan& plan,
                                                         const Placement& placement) {
        NodeDetail detail = detail_of(plan);
        detail.keeps_kinds = placement.reads_kinds();
        return detail;
    }

    BURSAR_HD static void raise(std::int64_t& most, std::int64_t value) {
        most = value > most ? value : most;
    }

    [[nodiscard]] BURSAR_HD GangPieces pieces_on(const JobShape& shape, PoolId pool) const {
        return pieces_of(shape, plan_.pools[pool].gpus_per_node);
    }

    [[nodiscard]] BURSAR_HD bool has_room(const JobShape& shape, PoolId pool_index) const {
        const PoolNodes& pool = pools_[pool_index];
        if (pool.states.free_slots() < shape.slots())
            return false;
        const GangPieces gang = pieces_on(shape, pool_index);
        if (gang.is_single())
            return pool.best.has_room(
                rows_.of_rest(shape), pool.states, gang.rest, placement_, fleet_);
        if (pool.num_all_free < gang.num_whole)
            return false;
        if (shape.required_level + 1U >= plan_.num_levels)
            return pool.holds_anywhere(gang);
        return shape.required_level > 0 && pool.holds_in_group(gang, shape.required_level);
    }

    /// The best state for the largest piece of a gang.
    [[nodiscard]] BURSAR_HD std::uint32_t
    find(const JobShape& shape, PoolId pool, const GangPieces& gang) const {
        const std::uint32_t row = gang.is_single() ? rows_.of_rest(shape) : rows_.of_whole(shape);
        return pools_[pool].best.find(row, pools_[pool].states, gang.largest(), placement_, fleet_);
    }

    /// start: set to the node from which ties are counted.
    BURSAR_HD PoolId choose_pool(const JobShape& shape, JobId job, std::uint32_t& start) const {
        if (in_any_pool_)
            return draws() ? drawn_pool(shape, job, start) : best_pool(shape);
        const PoolId pool =
            first_pool(plan_, shape, [&](PoolId at) { return has_room(shape, at); });
        if (draws())
            start = placement_.first_node(job, plan_.pools[pool].num_nodes);
        return pool;
    }

    /// Fewest nodes, then the best node for the largest piece, then the broker's order.
    BURSAR_HD PoolId best_pool(const JobShape& shape) const {
        PoolId best{plan_.num_pools};
        std::uint32_t fewest = 0;
        std::int64_t least = 0;
        for (std::uint32_t i = 0; i < plan_.num_pools; ++i) {
            const PoolId pool{plan_.current_order[shape.order_begin + i]};
            if ((shape.permitted_pools >> pool & 1U) == 0 || !has_room(shape, pool))
                continue;
            const GangPieces gang = pieces_on(shape, pool);
            const std::uint32_t row =
                gang.is_single() ? rows_.of_rest(shape) : rows_.of_whole(shape);
            const PoolNodes& nodes = pools_[pool];
            const std::int64_t score = nodes.best.score(
                row, find(shape, pool, gang), nodes.states, gang.largest(), placement_, fleet_);
            if (best == plan_.num_pools || gang.count() < fewest ||
                (gang.count() == fewest && score < least)) {
                best = pool;
                fewest = gang.count();
                least = score;
            }
        }
        return best;
    }

    /// Draws a node of all permitted pools. Returns its pool, or the next one with room.
    BURSAR_HD PoolId drawn_pool(const JobShape& shape, JobId job, std::uint32_t& start) const {
        const auto permitted = [&](PoolId pool) {
            return (shape.permitted_pools >> pool & 1U) != 0;
        };
        std::uint32_t num_nodes = 0;
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool)
            num_nodes += permitted(pool) ? plan_.pools[pool].num_nodes : 0;
        std::uint32_t node = placement_.first_node(job, num_nodes);
        PoolId pool{0};
        for (; !permitted(pool) || node >= plan_.pools[pool].num_nodes; ++pool)
            node -= permitted(pool) ? plan_.pools[pool].num_nodes : 0;
        start = node;
        while (!permitted(pool) || !has_room(shape, pool)) {
            pool = PoolId{pool + 1 < plan_.num_pools ? pool + 1 : 0};
            start = 0;
        }
        return pool;
    }

    RunPlan plan_;
    Placement placement_;
    NodeOrder order_{};
    bool in_any_pool_{};
    NodeDetail detail_;
    FleetView fleet_;
    PoolNodes* pools_{};
    PieceRows rows_; ///< rows of BestNodes
    std::uint32_t* jobs_of_shape_{};
    GangPieceLists pieces_;
    PlannedPiece* expected_{}; ///< pieces of the next gang, from expect()
    std::uint32_t num_expected_{};
};

}} // namespace bursar::sim
