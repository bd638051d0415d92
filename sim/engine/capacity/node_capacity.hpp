#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/capacity/free_nodes.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/nodes/node_lines.hpp"
#include "sim/engine/setup/members.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// `capacity: nodes` for plans in which only the number of free GPUs of a node matters
/// (NodeDetail::is_plain), and placements that need no more; ScoredCapacity handles the others. A
/// gang of g GPUs takes floor(g / n) empty nodes of n GPUs and, for the rest, one more node that
/// has room for it. Which node takes the rest is the placement policy's choice.
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
                           const RunPlan& plan,
                           std::uint32_t /*max_live*/,
                           const RunOptions& options)
        : plan_{plan}, placement_{options.placement},
          pools_{carver.take<PoolNodes>(plan.num_pools)} {
        std::uint32_t num_gpus = 0;
        std::uint32_t max_nodes = 0;
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            const PlanPool& shape = plan.pools[pool];
            const FreeNodes nodes{carver, shape.num_nodes, shape.gpus_per_node};
            Unseen* unseen = carver.take<Unseen>(shape.num_nodes);
            if (pools_ != nullptr)
                pools_[pool] = {nodes, 0, 0, 0, 0, unseen};
            num_gpus += static_cast<std::uint32_t>(shape.num_gpus());
            max_nodes = shape.num_nodes > max_nodes ? shape.num_nodes : max_nodes;
        }
        // Gangs may be placed on lent nodes while the lenders keep their pieces.
        num_pieces_ = 2 * num_gpus;
        pieces_ = carver.take<Piece>(num_pieces_);
        expected_ = carver.take<PlannedPiece>(max_nodes);
    }

    BURSAR_HD void clear() {
        for (PoolId pool{0}; pool < plan_.num_pools; ++pool) {
            PoolNodes& nodes = pools_[pool];
            nodes.nodes.clear();
            nodes.free_gpus = plan_.pools[pool].num_gpus();
            nodes.offline_gpus = nodes.num_unseen = nodes.num_offline = 0;
            for (std::uint32_t node = 0; node < plan_.pools[pool].num_nodes; ++node)
                nodes.unseen[node] = Unseen{};
        }
        for (std::uint32_t i = 0; i < num_pieces_; ++i)
            pieces_[i].next = i + 1;
        first_free_piece_ = 0;
        num_expected_ = 0;
    }

    [[nodiscard]] BURSAR_HD std::int64_t free_slots(PoolId pool) const {
        return pools_[pool].free_gpus * slots_per_gpu;
    }

    /// Whether nothing fits, whatever its shape: no GPU is free.
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
    [[nodiscard, gnu::always_inline]] BURSAR_HD bool fits_on(PoolId pool,
                                                             const JobShape& shape) const {
        return (shape.permitted_pools >> pool & 1U) != 0 && has_nodes(pools_[pool], shape.gpus);
    }
    [[nodiscard]] BURSAR_HD std::uint32_t free_on(PoolId pool, std::uint32_t node) const {
        return pools_[pool].nodes.free_of(node);
    }

    /// Takes the first pool in the broker's order that has the nodes. Precondition: fits(shape).
    BURSAR_HD Grant take(const JobShape& shape, JobId job) {
        return take_on(pool_for(shape), shape, job);
    }

    /// Takes nodes of one pool, those of expect() if it was called. Precondition: fits_on(pool,
    /// shape).
    BURSAR_HD Grant take_on(PoolId pool, const JobShape& shape, std::uint32_t /*job*/) {
        assert(pool < plan_.num_pools && fits_on(pool, shape));
        if (num_expected_ > 0)
            return take_expected(pool, shape);
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

    // g++ 12 calls it once for each attempt where it is a little larger: 1 % of a run under EASY.
    [[gnu::always_inline]] BURSAR_HD void release(const Grant& grant, const JobShape& /*shape*/) {
        PoolNodes& pool = pools_[grant.pool];
        for (std::uint32_t piece = grant.first_piece; piece != no_piece;) {
            put_back(pool, pieces_[piece].node, pieces_[piece].gpus);
            const std::uint32_t next = pieces_[piece].next;
            pieces_[piece].next = first_free_piece_;
            first_free_piece_ = piece;
            piece = next;
        }
    }

    /// Tentatively frees what a running gang holds.
    BURSAR_HD void lend(const Grant& grant, const JobShape& /*shape*/) {
        for_each_piece(grant, [&](std::uint32_t node, std::uint32_t gpus) {
            put_back(pools_[grant.pool], node, gpus);
        });
    }
    /// Undoes lend(). Precondition: nothing else has changed.
    BURSAR_HD void reclaim(const Grant& grant, const JobShape& /*shape*/) {
        for_each_piece(grant, [&](std::uint32_t node, std::uint32_t gpus) {
            take_again(pools_[grant.pool], node, gpus);
        });
    }

    [[nodiscard]] BURSAR_HD std::int64_t free_slots_on(PoolId pool, std::uint32_t node) const {
        return std::int64_t{free_on(pool, node)} * slots_per_gpu;
    }
    /// Hides everything free on a node from all answers, also what becomes free, and shows it
    /// again.
    BURSAR_HD void close(PoolId pool, std::uint32_t node) {
        Unseen& unseen = put_out_of_sight(pools_[pool], node);
        assert(!unseen.is_closed);
        unseen.is_closed = true;
    }
    BURSAR_HD void open(PoolId pool, std::uint32_t node) {
        assert(pools_[pool].unseen[node].is_closed);
        pools_[pool].unseen[node].is_closed = false;
        show_again(pools_[pool], node);
    }

    // For forecasts of free capacity by node, and of placements.
    [[nodiscard]] BURSAR_HD NodeLines lines(PoolId /*pool*/) const { return {}; }
    /// The free slots of a line of a node that is neither closed nor offline.
    [[nodiscard]] BURSAR_HD std::int64_t
    left_on(PoolId pool, std::uint32_t node, std::uint32_t /*line*/) const {
        return free_on(pool, node);
    }
    /// Lets an empty node have `left_of(line)`, from 0 to all.
    template <class LeftOf>
    BURSAR_HD void limit(PoolId pool, std::uint32_t node, const LeftOf& left_of) {
        const auto left = static_cast<std::uint32_t>(left_of(0));
        const std::uint32_t before = free_on(pool, node);
        if (left > before)
            put_back(pools_[pool], node, left - before);
        else if (left < before)
            take_again(pools_[pool], node, before - left);
    }
    // Single GPUs are known only if they are shared: not here.
    [[nodiscard]] BURSAR_HD bool is_held_whole(PoolId, std::uint32_t, std::uint32_t) const {
        return false;
    }
    [[nodiscard]] BURSAR_HD std::uint32_t gpu_of(const Grant&) const { return 0; }
    /// Sets a piece of the next gang that take_on() places; called for each piece.
    BURSAR_HD void expect(const PlannedPiece& piece) { expected_[num_expected_++] = piece; }

    /// A node goes offline, or comes back, whether closed or not. GPUs that gangs release on an
    /// offline node are neither free nor held.
    BURSAR_HD void set_offline(PoolId pool_index, std::uint32_t node) {
        PoolNodes& pool = pools_[pool_index];
        Unseen& unseen = put_out_of_sight(pool, node);
        assert(!unseen.is_offline);
        unseen.is_offline = true;
        pool.offline_gpus += unseen.gpus;
        ++pool.num_offline;
    }
    BURSAR_HD void set_online(PoolId pool_index, std::uint32_t node) {
        PoolNodes& pool = pools_[pool_index];
        assert(pool.unseen[node].is_offline);
        pool.unseen[node].is_offline = false;
        pool.offline_gpus -= pool.unseen[node].gpus;
        --pool.num_offline;
        show_again(pool, node);
    }
    [[nodiscard]] BURSAR_HD bool is_offline(PoolId pool, std::uint32_t node) const {
        return pools_[pool].unseen[node].is_offline;
    }
    /// Empty nodes.
    [[nodiscard]] BURSAR_HD std::uint32_t num_empty(PoolId pool) const {
        const FreeNodes& nodes = pools_[pool].nodes;
        return nodes.num_with_free(nodes.gpus_per_node());
    }
    /// The last empty node; num_nodes if there is none.
    [[nodiscard]] BURSAR_HD std::uint32_t last_empty(PoolId pool) const {
        const FreeNodes& nodes = pools_[pool].nodes;
        std::uint32_t last = plan_.pools[pool].num_nodes;
        if (num_empty(pool) == 0)
            return last;
        do
            --last;
        while (nodes.free_of(last) != nodes.gpus_per_node());
        return last;
    }
    /// Nodes in use with room for the rest of a gang that takes whole nodes, too.
    [[nodiscard]] BURSAR_HD std::uint32_t num_for_rest(PoolId pool, const JobShape& shape) const {
        const FreeNodes& nodes = pools_[pool].nodes;
        std::uint32_t num = 0;
        for (std::uint32_t free = shape.gpus % nodes.gpus_per_node(); free < nodes.gpus_per_node();
             ++free)
            num += nodes.num_with_free(free);
        return num;
    }
    /// Free slots of offline nodes.
    [[nodiscard]] BURSAR_HD std::int64_t offline_slots(PoolId pool) const {
        return pools_[pool].offline_gpus * slots_per_gpu;
    }
    /// Whether a gang would fit if all nodes that are up were empty.
    [[nodiscard]] BURSAR_HD bool fits_when_empty(const JobShape& shape) const {
        return first_pool(plan_, shape, [&](PoolId pool) {
                   return fits_when_empty_on(pool, shape);
               }) < plan_.num_pools;
    }
    [[nodiscard]] BURSAR_HD bool fits_when_empty_on(PoolId pool, const JobShape& shape) const {
        const PlanPool& spec = plan_.pools[pool];
        const std::uint32_t num_up = spec.num_nodes - pools_[pool].num_offline;
        return shape.gpus <= num_up * std::int64_t{spec.gpus_per_node};
    }

    /// Calls `act(node, gpus)` for every part of a gang, one per node.
    template <class Act>
    BURSAR_HD void for_each_piece(const Grant& grant, const Act& act) const {
        for (std::uint32_t piece = grant.first_piece; piece != no_piece;
             piece = pieces_[piece].next)
            act(pieces_[piece].node, pieces_[piece].gpus);
    }

  private:
    static constexpr std::uint32_t no_piece = 0xffffffffU;

    /// Part of a gang on one node: at most one per GPU, and as many again for gangs on lent nodes.
    struct Piece {
        std::uint32_t node{};
        std::uint32_t gpus{};
        std::uint32_t next{};
    };
    /// A node that is hidden while it is closed or offline.
    struct Unseen {
        std::uint32_t gpus{}; ///< free
        bool is_closed{};
        bool is_offline{};
    };
    struct PoolNodes {
        FreeNodes nodes;             ///< hidden nodes have none free
        std::int64_t free_gpus{};    ///< on nodes that are not hidden
        std::int64_t offline_gpus{}; ///< free
        std::uint32_t num_unseen{};  ///< nodes
        std::uint32_t num_offline{};
        Unseen* unseen{}; ///< by node
    };

    BURSAR_HD Grant take_expected(PoolId pool, const JobShape& shape) {
        std::uint32_t first = no_piece;
        for (std::uint32_t i = 0; i < num_expected_; ++i)
            first = add_piece(pools_[pool].nodes, expected_[i].node, expected_[i].gpus, first);
        num_expected_ = 0;
        pools_[pool].free_gpus -= shape.gpus;
        return {pool, 0, first};
    }

    [[nodiscard]] BURSAR_HD PoolId pool_for(const JobShape& shape) const {
        return first_pool(
            plan_, shape, [&](PoolId pool) { return has_nodes(pools_[pool], shape.gpus); });
    }

    [[nodiscard, gnu::always_inline]] BURSAR_HD static bool has_nodes(const PoolNodes& pool,
                                                                      std::uint32_t gpus) {
        if (pool.free_gpus < gpus)
            return false;
        const std::uint32_t per_node = pool.nodes.gpus_per_node();
        if (gpus < per_node) // most gangs: avoids a division
            return pool.nodes.has_from(gpus, per_node);
        const std::uint32_t whole = gpus / per_node;
        const std::uint32_t rest = gpus % per_node;
        const std::uint32_t empty = pool.nodes.num_with_free(per_node);
        if (whole >= empty)
            return whole == empty && (rest == 0 || pool.nodes.has_from(rest, per_node - 1));
        return true;
    }

    /// Raises what one node and its pool have free; hidden if the node is.
    [[gnu::always_inline]] BURSAR_HD static void
    put_back(PoolNodes& pool, std::uint32_t node, std::uint32_t gpus) {
        if (pool.num_unseen > 0 && is_unseen(pool, node)) [[unlikely]] {
            pool.unseen[node].gpus += gpus;
            pool.offline_gpus += pool.unseen[node].is_offline ? gpus : 0;
            return;
        }
        pool.nodes.set_free(node, pool.nodes.free_of(node) + gpus);
        pool.free_gpus += gpus;
    }
    [[gnu::always_inline]] BURSAR_HD static void
    take_again(PoolNodes& pool, std::uint32_t node, std::uint32_t gpus) {
        if (pool.num_unseen > 0 && is_unseen(pool, node)) [[unlikely]] {
            assert(pool.unseen[node].gpus >= gpus);
            pool.unseen[node].gpus -= gpus;
            pool.offline_gpus -= pool.unseen[node].is_offline ? gpus : 0;
            return;
        }
        pool.nodes.set_free(node, pool.nodes.free_of(node) - gpus);
        pool.free_gpus -= gpus;
    }

    [[nodiscard]] BURSAR_HD static bool is_unseen(const PoolNodes& pool, std::uint32_t node) {
        return pool.unseen[node].is_closed || pool.unseen[node].is_offline;
    }
    BURSAR_HD static Unseen& put_out_of_sight(PoolNodes& pool, std::uint32_t node) {
        Unseen& unseen = pool.unseen[node];
        if (is_unseen(pool, node))
            return unseen;
        unseen.gpus = pool.nodes.free_of(node);
        take_again(pool, node, unseen.gpus);
        ++pool.num_unseen;
        return unseen;
    }
    /// Shows a node, unless it is still closed or offline.
    BURSAR_HD static void show_again(PoolNodes& pool, std::uint32_t node) {
        if (is_unseen(pool, node))
            return;
        put_back(pool, node, pool.unseen[node].gpus);
        pool.unseen[node].gpus = 0;
        --pool.num_unseen;
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

    RunPlan plan_;
    Placement placement_;
    PoolNodes* pools_{};
    Piece* pieces_{};
    std::uint32_t num_pieces_{}; ///< a pool has fewer than 2^24 GPUs, 64 pools fewer than 2^30
    std::uint32_t first_free_piece_{};
    PlannedPiece* expected_{}; ///< pieces of the next gang, from expect()
    std::uint32_t num_expected_{};
};

}} // namespace bursar::sim
