#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"

#include "policies/placement/any_placement.hpp"

namespace bursar::test {

/// Part of a gang, as the naive allocator keeps it.
struct NaivePiece {
    std::uint32_t node{};
    PieceDemand demand;
    std::size_t gpu{}; ///< the GPU that it shares
};

/// All nodes and GPUs of a plan, searched one by one for every piece. ScoredCapacity must agree
/// with it.
class NaiveNodes {
  public:
    struct Node {
        std::vector<std::uint32_t> gpus; ///< free slots
        std::vector<bool> is_held;       ///< by one job, as a whole
        std::int64_t cpu_milli{};
        std::int64_t memory_mib{};
        std::multiset<std::uint32_t> kinds{}; ///< of the pieces on it
        bool is_closed{};                     ///< nothing is free on it
        bool is_offline{};                    ///< it is offline

        [[nodiscard]] std::int64_t slots_left() const {
            return std::accumulate(gpus.begin(), gpus.end(), std::int64_t{0});
        }
    };
    struct Placed {
        std::uint32_t pool{};
        std::vector<NaivePiece> pieces;
    };

    NaiveNodes(const Plan& plan, const PlacementSetting& setting)
        : plan_{plan}, placement_{setting}, in_any_pool_{setting.in_any_pool},
          jobs_of_shape_(plan.shapes.size()) {
        for (const std::uint16_t shape : plan.shape)
            ++jobs_of_shape_[shape];
        fleet_.shapes = plan.shapes.data();
        fleet_.jobs_of_shape = jobs_of_shape_.data();
        fleet_.num_shapes = static_cast<std::uint32_t>(plan.shapes.size());
        for (const PlanPool& pool : plan.pools) {
            nodes.emplace_back(pool.num_nodes,
                               Node{std::vector<std::uint32_t>(pool.gpus_per_node, slots_per_gpu),
                                    std::vector<bool>(pool.gpus_per_node),
                                    pool.cpu_milli,
                                    pool.memory_mib,
                                    {},
                                    false,
                                    false});
            fleet_.max_slots =
                std::max<std::int64_t>(fleet_.max_slots, pool.gpus_per_node * slots_per_gpu);
            fleet_.max_cpu_milli = std::max<std::int64_t>(fleet_.max_cpu_milli, pool.cpu_milli);
            fleet_.max_memory_mib = std::max<std::int64_t>(fleet_.max_memory_mib, pool.memory_mib);
        }
    }

    /// Takes the nodes of a gang; absent if it does not fit.
    std::optional<Placed> place(const JobShape& shape, JobId job) {
        std::optional<std::pair<std::tuple<std::uint32_t, std::int64_t>, Placed>> best;
        const auto draws = placement_.order() == NodeOrder::from_a_node;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> tries; // pool, first node
        std::uint32_t permitted_nodes = 0;
        for (const std::uint16_t pool : plan_.pool_preference) {
            if ((shape.permitted_pools >> pool & 1U) == 0)
                continue;
            const std::uint32_t count = plan_.pools[pool].num_nodes;
            tries.emplace_back(pool, draws ? placement_.first_node(job, count) : 0);
            permitted_nodes += count;
        }
        if (draws && in_any_pool_)
            tries = tries_from(shape, placement_.first_node(job, permitted_nodes));
        for (const auto& [pool, start] : tries) {
            const auto found = place_on(shape, pool, start);
            if (!found)
                continue;
            if (!in_any_pool_ || draws)
                return take(*found);
            const GangPieces gang = pieces_of(shape, plan_.pools[pool].gpus_per_node);
            const std::tuple rank{gang.count(), first_score_};
            if (!best || rank < best->first)
                best.emplace(rank, *found);
        }
        return best ? std::optional{take(best->second)} : std::nullopt;
    }

    void release(const Placed& placed) {
        for (const NaivePiece& piece : placed.pieces)
            put(nodes[placed.pool][piece.node], placed.pool, piece, true);
    }

    /// Takes a released gang again.
    void retake(const Placed& placed) {
        for (const NaivePiece& piece : placed.pieces) {
            Node& node = nodes[placed.pool][piece.node];
            if (piece.demand.shares_gpu() && node.is_held[piece.gpu])
                move_whole(node, piece.gpu);
            put(node, placed.pool, piece, false);
        }
    }

    bool fits(const JobShape& shape) {
        const auto before = nodes; // with every GPU as it was
        const bool found = place(shape, JobId{0}).has_value();
        nodes = before;
        return found;
    }

    std::int64_t free_slots(PoolId pool) const {
        std::int64_t free = 0;
        for (const Node& node : nodes[pool])
            free += node.is_closed || node.is_offline ? 0 : node.slots_left();
        return free;
    }
    std::int64_t offline_slots(PoolId pool) const {
        std::int64_t slots = 0;
        for (const Node& node : nodes[pool])
            slots += node.is_offline ? node.slots_left() : 0;
        return slots;
    }

    std::vector<std::vector<Node>> nodes; ///< by pool

  private:
    /// Moves a job from one whole GPU to another.
    static void move_whole(Node& node, std::size_t gpu) {
        const auto other = static_cast<std::size_t>(std::ranges::find(node.gpus, slots_per_gpu) -
                                                    node.gpus.begin());
        std::swap(node.gpus[gpu], node.gpus[other]);
        std::vector<bool>::swap(node.is_held[gpu], node.is_held[other]);
    }

    /// The pools, from the one of node `first` among all permitted nodes on.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> tries_from(const JobShape& shape,
                                                                    std::uint32_t first) const {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> tries;
        std::size_t begin = 0;
        for (std::uint32_t pool = 0; pool < plan_.pools.size(); ++pool) {
            if ((shape.permitted_pools >> pool & 1U) == 0)
                continue;
            if (first < plan_.pools[pool].num_nodes && first != 0xffffffffU) {
                begin = tries.size();
                tries.emplace_back(pool, first);
                first = 0xffffffffU;
                continue;
            }
            tries.emplace_back(pool, 0);
            if (first != 0xffffffffU)
                first -= plan_.pools[pool].num_nodes;
        }
        std::rotate(tries.begin(), tries.begin() + static_cast<std::ptrdiff_t>(begin), tries.end());
        return tries;
    }

    NodeView view(const Node& node, std::uint32_t pool, std::vector<std::uint16_t>& shared) const {
        NodeView view;
        view.pool = &plan_.pools[pool];
        view.pool_index = PoolId{pool};
        if (node.is_closed)
            return view;
        for (const std::uint32_t free : node.gpus) {
            view.free_slots += free;
            view.free_gpus += free == slots_per_gpu ? 1 : 0;
            if (free > 0 && free < slots_per_gpu)
                shared.push_back(static_cast<std::uint16_t>(free));
        }
        std::ranges::sort(shared);
        view.num_shared = static_cast<std::uint32_t>(shared.size());
        view.shared_slots = shared.data();
        view.cpu_milli = static_cast<std::uint32_t>(node.cpu_milli);
        view.memory_mib = static_cast<std::uint32_t>(node.memory_mib);
        for (const std::uint32_t kind : node.kinds)
            view.kinds.insert(PieceKinds::bit_of(kind));
        return view;
    }

    NodeScore score(const Node& node, std::uint32_t pool, const PieceDemand& piece) const {
        if (node.is_offline)
            return {};
        std::vector<std::uint16_t> shared;
        return score_node(placement_, fleet_, view(node, pool, shared), piece);
    }

    /// Takes (or gives back) the resources of a piece.
    void put(Node& node, std::uint32_t pool, const NaivePiece& piece, bool back) const {
        const std::int64_t sign = back ? 1 : -1;
        if (plan_.pools[pool].cpu_milli != 0)
            node.cpu_milli += sign * piece.demand.cpu_milli;
        if (plan_.pools[pool].memory_mib != 0)
            node.memory_mib += sign * piece.demand.memory_mib;
        if (piece.demand.gpus > 0 && back)
            node.kinds.extract(piece.demand.kind());
        else if (piece.demand.gpus > 0)
            node.kinds.insert(piece.demand.kind());
        if (piece.demand.shares_gpu()) {
            node.gpus[piece.gpu] = static_cast<std::uint32_t>(
                node.gpus[piece.gpu] + sign * std::int64_t{piece.demand.gpu_slots});
            return;
        }
        // Which free GPUs a whole piece gets makes no difference, but the order of the others must
        // be the same as in the engine.
        std::uint32_t found = 0;
        for (std::size_t gpu = 0; found < piece.demand.gpus; ++gpu) {
            if (back ? !node.is_held[gpu] : node.gpus[gpu] != slots_per_gpu)
                continue;
            node.gpus[gpu] = back ? slots_per_gpu : 0;
            node.is_held[gpu] = !back;
            ++found;
        }
    }

    Placed take(const Placed& placed) {
        for (const NaivePiece& piece : placed.pieces)
            put(nodes[placed.pool][piece.node], placed.pool, piece, false);
        return placed;
    }

    std::optional<Placed> place_on(const JobShape& shape, std::uint32_t pool, std::uint32_t start) {
        const GangPieces gang = pieces_of(shape, plan_.pools[pool].gpus_per_node);
        std::vector<std::uint32_t> all(plan_.pools[pool].num_nodes);
        for (std::uint32_t node = 0; node < all.size(); ++node)
            all[node] = (node + start) % static_cast<std::uint32_t>(all.size());
        if (gang.is_single() || shape.required_level + 1U >= plan_.num_levels)
            return fill(gang, pool, all);
        if (shape.required_level == 0)
            return std::nullopt;
        std::optional<Placed> best;
        std::int64_t least = 0;
        std::map<std::uint32_t, std::vector<std::uint32_t>> groups; // by turn
        const std::uint32_t first = group_of(pool, shape.required_level, start);
        for (const std::uint32_t node : all) {
            const std::uint32_t group = group_of(pool, shape.required_level, node);
            groups[group >= first ? group - first : group + 0x10000 - first].push_back(node);
        }
        for (const auto& [turn, members] : groups) {
            const auto found = fill(gang, pool, members);
            if (found && (!best || first_score_ < least)) {
                best = found;
                least = first_score_;
            }
        }
        if (best)
            first_score_ = least;
        return best;
    }

    std::uint32_t group_of(std::uint32_t pool, std::uint32_t level, std::uint32_t node) const {
        return plan_.node_group[plan_.level_begin[pool * plan_.num_levels + level] + node];
    }

    /// Places the pieces in sequence, each on the best of `members`, ties to the earlier one.
    std::optional<Placed>
    fill(const GangPieces& gang, std::uint32_t pool, const std::vector<std::uint32_t>& members) {
        Placed placed{pool, {}};
        const std::vector<Node> before = nodes[pool];
        bool fits = true;
        for (std::uint32_t i = 0; i < gang.count() && fits; ++i) {
            const PieceDemand& piece = i < gang.num_whole ? gang.whole : gang.rest;
            NodeScore best;
            std::uint32_t chosen = 0;
            for (const std::uint32_t node : members) {
                const NodeScore of_node = score(nodes[pool][node], pool, piece);
                if (of_node.score < best.score) {
                    best = of_node;
                    chosen = node;
                }
            }
            fits = best.score != NodeScore::never;
            if (!fits)
                break;
            if (i == 0)
                first_score_ = best.score;
            const auto& gpus = nodes[pool][chosen].gpus;
            NaivePiece put_here{chosen, piece, 0};
            if (piece.shares_gpu())
                put_here.gpu =
                    static_cast<std::size_t>(std::ranges::find(gpus, best.gpu_free) - gpus.begin());
            placed.pieces.push_back(put_here);
            put(nodes[pool][chosen], pool, put_here, false);
        }
        nodes[pool] = before;
        return fits ? std::optional{placed} : std::nullopt;
    }

    const Plan& plan_;
    AnyPlacement placement_;
    bool in_any_pool_;
    std::vector<std::uint32_t> jobs_of_shape_;
    FleetView fleet_;
    std::int64_t first_score_{};
};

} // namespace bursar::test
