#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/capacity/free_nodes.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/members.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// `capacity: nodes` where the number of free GPUs is all there is to a node (NodeDetail::is_plain)
/// and for placements that need no more; ScoredCapacity does the rest. A gang of g GPUs takes
/// floor(g / n) empty nodes of n GPUs and, for the rest, one more node that has room for it. Which
/// node takes the rest is the placement policy's choice.
///
/// Placement: `rest_node(const FreeNodes&, rest) -> node`, called only when some node has room;
/// made from RunOptions::placement.
template <class Placement>
class NodeCapacity {
  public:
    static constexpr CapacityMembers has{.close = true};
    static constexpr bool counts_only = false;

    NodeCapacity() = default;
    BURSAR_HD NodeCapacity(ArenaCarver& carver,
                           const PlanView& plan,
                           std::uint32_t /*max_live*/,
                           const RunOptions& options)
        : plan_{plan}, placement_{options.placement},
          pools_{carver.take<PoolNodes>(plan.num_pools)} {
        std::uint32_t num_gpus = 0;
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            const PlanPool& shape = plan.pools[pool];
            const FreeNodes nodes{carver, shape.num_nodes, shape.gpus_per_node};
            std::uint32_t* closed = carver.take<std::uint32_t>(shape.num_nodes);
            if (pools_ != nullptr)
                pools_[pool] = {nodes, 0, closed};
            num_gpus += static_cast<std::uint32_t>(shape.num_gpus());
        }
        // Gangs are placed on what others will leave while those keep their pieces.
        num_pieces_ = 2 * num_gpus;
        pieces_ = carver.take<Piece>(num_pieces_);
    }

    BURSAR_HD void clear() {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            pools_[pool].nodes.clear();
            pools_[pool].free_gpus = plan_.pools[pool].num_gpus();
        }
        for (std::uint32_t i = 0; i < num_pieces_; ++i)
            pieces_[i].next = i + 1;
        first_free_piece_ = 0;
    }

    [[nodiscard]] BURSAR_HD std::int64_t free_slots(PoolId pool) const {
        return pools_[pool].free_gpus * slots_per_gpu;
    }

    /// No GPU is free anywhere: nothing fits, whatever its shape.
    [[nodiscard]] BURSAR_HD bool is_full() const {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            if (pools_[pool].free_gpus > 0)
                return false;
        }
        return true;
    }

    [[nodiscard]] BURSAR_HD bool fits(const JobShape& shape) const {
        return pool_for(shape) < plan_.num_pools;
    }
    [[nodiscard]] BURSAR_HD bool fits_on(PoolId pool, const JobShape& shape) const {
        return (shape.permitted_pools >> pool & 1U) != 0 && has_nodes(pools_[pool], shape.gpus);
    }
    [[nodiscard]] BURSAR_HD std::uint32_t free_on(PoolId pool, std::uint32_t node) const {
        return pools_[pool].nodes.free_of(node);
    }

    /// Takes the first pool in the broker's order that has the nodes. Precondition: fits(shape).
    BURSAR_HD Grant take(const JobShape& shape, JobId job) {
        return take_on(pool_for(shape), shape, job);
    }

    /// Takes nodes of one pool. Precondition: fits_on(pool, shape).
    BURSAR_HD Grant take_on(PoolId pool, const JobShape& shape, std::uint32_t /*job*/) {
        assert(pool < plan_.num_pools && fits_on(pool, shape));
        FreeNodes& nodes = pools_[pool].nodes;
        const std::uint32_t per_node = nodes.gpus_per_node();
        std::uint32_t first = no_piece;
        std::uint32_t left = shape.gpus;
        for (; left >= per_node; left -= per_node) {
            first = add_piece(nodes, nodes.lowest_with_free(per_node), per_node, first);
        }
        if (left > 0)
            first = add_piece(nodes, placement_.rest_node(nodes, left), left, first);
        pools_[pool].free_gpus -= shape.gpus;
        return {pool, 0, first};
    }

    BURSAR_HD void release(const Grant& grant, const JobShape& shape) {
        FreeNodes& nodes = pools_[grant.pool].nodes;
        for (std::uint32_t piece = grant.first_piece; piece != no_piece;) {
            nodes.set_free(pieces_[piece].node,
                           nodes.free_of(pieces_[piece].node) + pieces_[piece].gpus);
            const std::uint32_t next = pieces_[piece].next;
            pieces_[piece].next = first_free_piece_;
            first_free_piece_ = piece;
            piece = next;
        }
        pools_[grant.pool].free_gpus += shape.gpus;
    }

    /// Gives back what a running gang holds as if it had ended, to see what would fit then.
    BURSAR_HD void lend(const Grant& grant, const JobShape& shape) {
        add_free(grant, shape, [](std::uint32_t free, std::uint32_t gpus) { return free + gpus; });
        pools_[grant.pool].free_gpus += shape.gpus;
    }
    /// Takes it again: nothing else may have changed.
    BURSAR_HD void reclaim(const Grant& grant, const JobShape& shape) {
        add_free(grant, shape, [](std::uint32_t free, std::uint32_t gpus) { return free - gpus; });
        pools_[grant.pool].free_gpus -= shape.gpus;
    }

    [[nodiscard]] BURSAR_HD std::int64_t free_slots_on(PoolId pool, std::uint32_t node) const {
        return std::int64_t{free_on(pool, node)} * slots_per_gpu;
    }
    /// Puts all that is free on a node out of sight of every answer, and shows it again. What is
    /// hidden is kept beside.
    BURSAR_HD void close(PoolId pool, std::uint32_t node) {
        pools_[pool].closed[node] = free_on(pool, node);
        hide(pool, node, pools_[pool].closed[node]);
    }
    BURSAR_HD void open(PoolId pool, std::uint32_t node) {
        show(pool, node, pools_[pool].closed[node]);
    }
    /// Takes free GPUs of a node out of sight of every answer, and puts them back.
    BURSAR_HD void hide(PoolId pool, std::uint32_t node, std::uint32_t gpus) {
        pools_[pool].nodes.set_free(node, pools_[pool].nodes.free_of(node) - gpus);
        pools_[pool].free_gpus -= gpus;
    }
    BURSAR_HD void show(PoolId pool, std::uint32_t node, std::uint32_t gpus) {
        pools_[pool].nodes.set_free(node, pools_[pool].nodes.free_of(node) + gpus);
        pools_[pool].free_gpus += gpus;
    }

    /// Calls `act(node, gpus)` for every part of a gang, one a node.
    template <class Act>
    BURSAR_HD void for_each_piece(const Grant& grant, const Act& act) const {
        for (std::uint32_t piece = grant.first_piece; piece != no_piece;
             piece = pieces_[piece].next)
            act(pieces_[piece].node, pieces_[piece].gpus);
    }

  private:
    static constexpr std::uint32_t no_piece = 0xffffffffU;

    /// Part of a gang on one node: never more than there are GPUs, and as many again where gangs
    /// are placed on what others will leave (lend).
    struct Piece {
        std::uint32_t node{};
        std::uint32_t gpus{};
        std::uint32_t next{};
    };
    struct PoolNodes {
        FreeNodes nodes;
        std::int64_t free_gpus{};
        std::uint32_t* closed{}; ///< by node: GPUs put out of sight while it is closed
    };

    [[nodiscard]] BURSAR_HD PoolId pool_for(const JobShape& shape) const {
        return first_pool(
            plan_, shape, [&](PoolId pool) { return has_nodes(pools_[pool], shape.gpus); });
    }

    [[nodiscard, gnu::always_inline]] BURSAR_HD static bool has_nodes(const PoolNodes& pool,
                                                                      std::uint32_t gpus) {
        if (pool.free_gpus < gpus)
            return false;
        const std::uint32_t per_node = pool.nodes.gpus_per_node();
        const std::uint32_t whole = gpus / per_node;
        const std::uint32_t rest = gpus % per_node;
        const std::uint32_t empty = pool.nodes.num_with_free(per_node);
        if (whole > empty)
            return false;
        if (rest == 0 || empty > whole)
            return true;
        for (std::uint32_t free = rest; free < per_node; ++free) {
            if (pool.nodes.num_with_free(free) > 0)
                return true;
        }
        return false;
    }

    template <class Change>
    BURSAR_HD void add_free(const Grant& grant, const JobShape&, const Change& change) {
        FreeNodes& nodes = pools_[grant.pool].nodes;
        for (std::uint32_t piece = grant.first_piece; piece != no_piece;
             piece = pieces_[piece].next) {
            const std::uint32_t node = pieces_[piece].node;
            nodes.set_free(node, change(nodes.free_of(node), pieces_[piece].gpus));
        }
    }

    BURSAR_HD std::uint32_t
    add_piece(FreeNodes& nodes, std::uint32_t node, std::uint32_t gpus, std::uint32_t next) {
        assert(node != FreeNodes::none && nodes.free_of(node) >= gpus);
        nodes.set_free(node, nodes.free_of(node) - gpus);
        const std::uint32_t piece = first_free_piece_;
        assert(piece < num_pieces_);
        first_free_piece_ = pieces_[piece].next;
        pieces_[piece] = {node, gpus, next};
        return piece;
    }

    PlanView plan_;
    Placement placement_;
    PoolNodes* pools_{};
    Piece* pieces_{};
    std::uint32_t num_pieces_{}; ///< a pool has fewer than 2^24 GPUs, 64 pools fewer than 2^30
    std::uint32_t first_free_piece_{};
};

} // namespace bursar::inline sim
