#pragma once

#include <cassert>
#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/nodes/placement_traits.hpp"
#include "sim/engine/nodes/pool_nodes.hpp"
#include "sim/plan/ids.hpp"

namespace bursar { inline namespace sim {

/// The pieces of running gangs: lists in one array, with the free places threaded through it.
class GangPieceLists {
  public:
    static constexpr std::uint32_t none = 0xffffffffU;

    struct Piece {
        std::uint32_t node{};
        std::uint32_t gpus{};
        std::uint32_t gpu{}; ///< the GPU, if the piece shares one
        std::uint32_t next{};
    };

    GangPieceLists() = default;
    BURSAR_HD GangPieceLists(ArenaCarver& carver, std::uint32_t max_pieces)
        : pieces_{carver.take<Piece>(max_pieces)}, max_pieces_{max_pieces} {}

    BURSAR_HD void clear() {
        for (std::uint32_t i = 0; i < max_pieces_; ++i)
            pieces_[i].next = i + 1 < max_pieces_ ? i + 1 : none;
        first_free_ = max_pieces_ > 0 ? 0 : none;
    }

    /// The list `next` with a piece before it.
    BURSAR_HD std::uint32_t add(Piece piece) {
        const std::uint32_t at = first_free_;
        assert(at != none);
        first_free_ = pieces_[at].next;
        pieces_[at] = piece;
        return at;
    }
    /// Frees the place of a list's first piece. Returns the rest of the list.
    BURSAR_HD std::uint32_t drop(std::uint32_t at) {
        const std::uint32_t next = pieces_[at].next;
        pieces_[at].next = first_free_;
        first_free_ = at;
        return next;
    }
    [[nodiscard]] BURSAR_HD const Piece& operator[](std::uint32_t at) const { return pieces_[at]; }

  private:
    Piece* pieces_{};
    std::uint32_t max_pieces_{};
    std::uint32_t first_free_{none};
};

/// Chooses the nodes of one gang in one pool, piece by piece, the largest first. One lane calls it.
/// Precondition: the pool has room.
///
/// Placement: `score(FleetView, PlacedPiece) -> int64` (least first, ties to the lowest node),
/// `first_node(job, num_nodes)`.
template <class Placement>
class GangPlacer {
  public:
    /// rest_row, whole_row: of BestNodes, for the two kinds of piece.
    BURSAR_HD GangPlacer(const PlanView& plan,
                         const FleetView& fleet,
                         const Placement& placement,
                         NodeOrder order,
                         PoolId pool_index,
                         PoolNodes& pool,
                         GangPieceLists& lists,
                         std::uint32_t rest_row,
                         std::uint32_t whole_row)
        : plan_{plan}, fleet_{fleet}, placement_{placement}, order_{order}, pool_index_{pool_index},
          pool_{pool}, lists_{lists}, rest_row_{rest_row}, whole_row_{whole_row} {}

    /// start: the node from which ties are counted.
    BURSAR_HD Grant place(const JobShape& shape, GangPieces gang, std::uint32_t start) {
        start_ = start;
        const std::uint32_t last_level = plan_.num_levels - 1;
        const std::uint32_t required =
            shape.required_level < last_level ? shape.required_level : last_level;
        if (gang.is_single() || plan_.num_levels == 1)
            place_anywhere(gang);
        else if (order_ == NodeOrder::by_group)
            place_narrowly(gang, shape, required);
        else if (required < last_level)
            place_in(gang, required, best_group(gang, required, 0, pool_.states.num_nodes()));
        else
            place_anywhere(gang);
        return {pool_index_, static_cast<std::uint16_t>(level_), first_};
    }

    /// Places it on its planned nodes.
    BURSAR_HD Grant place_at(const JobShape& shape,
                             const PlannedPiece* pieces,
                             std::uint32_t num_pieces) {
        for (std::uint32_t i = 0; i < num_pieces; ++i) {
            const PieceDemand piece = piece_of(shape, pieces[i].gpus);
            const std::uint32_t gpu = pieces[i].gpu;
            put_by(pieces[i].node, piece, [&](NodeStates& states) {
                if (gpu == PlannedPiece::any_gpu)
                    return states.take(pieces[i].node, piece, slots_per_gpu);
                states.retake(pieces[i].node, piece, gpu);
                return gpu;
            });
        }
        return {pool_index_, static_cast<std::uint16_t>(level_), first_};
    }

  private:
    static constexpr std::uint32_t none = 0xffffffffU;

    /// Places a piece on the node chosen by the placement.
    BURSAR_HD void put(std::uint32_t node, const PieceDemand& piece) {
        const NodeStates& states = pool_.states;
        const std::uint32_t slot = states.slot_of(node);
        assert(states.view(slot).fits(piece));
        const std::uint32_t gpu_free =
            piece.shares_gpu()
                ? pool_.best.gpu_free(rest_row_, slot, states, piece, placement_, fleet_)
                : slots_per_gpu;
        put_by(
            node, piece, [&](NodeStates& changed) { return changed.take(node, piece, gpu_free); });
    }
    /// take: takes the piece from the node, and returns as NodeStates::take does.
    template <class Take>
    BURSAR_HD void put_by(std::uint32_t node, const PieceDemand& piece, const Take& take) {
        const bool had_all = pool_.states.has_all_gpus(node);
        const std::uint32_t gpu = take(pool_.states);
        if (had_all && piece.gpus > 0) {
            --pool_.num_all_free;
            pool_.groups.count_all_free(plan_, node, -1);
        }
        if (plan_.num_levels > 1 && first_ != GangPieceLists::none)
            level_ = pool_.groups.common_level(
                plan_, level_ == 0 ? 1 : level_, lists_[first_].node, node);
        first_ = lists_.add({node, piece.gpus, gpu, first_});
    }

    BURSAR_HD void place_anywhere(const GangPieces& gang) {
        for (std::uint32_t i = 0; i < gang.num_whole; ++i)
            put(best_node(whole_row_, gang.whole), gang.whole);
        if (gang.has_rest)
            put(best_node(rest_row_, gang.rest), gang.rest);
    }

    /// In the whole pool.
    BURSAR_HD std::uint32_t best_node(std::uint32_t row, const PieceDemand& piece) {
        const NodeStates& states = pool_.states;
        if (order_ == NodeOrder::from_a_node) {
            std::uint32_t node = start_;
            while (!states.view(states.slot_of(node)).fits(piece))
                node = node + 1 < states.num_nodes() ? node + 1 : 0;
            return node;
        }
        return states.lowest_in(pool_.best.update(row, states, piece, placement_, fleet_));
    }

    /// Chooses the widest group that must hold the gang first, then places the pieces inside it.
    BURSAR_HD void place_in(const GangPieces& gang, std::uint32_t level, std::uint32_t group) {
        assert(group != none);
        for (std::uint32_t i = 0; i < gang.num_whole; ++i)
            put(best_node_in(level, group, whole_row_, gang.whole), gang.whole);
        if (gang.has_rest)
            put(best_node_in(level, group, rest_row_, gang.rest), gang.rest);
    }

    /// Places it in the narrowest group that holds it, from the preferred level on; inside it in as
    /// few groups of each narrower level as possible.
    BURSAR_HD void place_narrowly(GangPieces gang, const JobShape& shape, std::uint32_t required) {
        std::uint32_t level = 1;
        if (shape.preferred_level != JobShape::any_level && shape.preferred_level > level)
            level = shape.preferred_level < required ? shape.preferred_level : required;
        std::uint32_t group = none;
        for (; group == none; ++level) {
            assert(level <= required);
            group = best_group(gang, level, 0, pool_.states.num_nodes());
        }
        for (--level; level > 1 && gang.count() > 0;) {
            const std::uint32_t begin = pool_.groups.begin(level, group);
            const std::uint32_t end = pool_.groups.end(level, group);
            const std::uint32_t part = best_group(gang, level - 1, begin, end);
            if (part != none) {
                group = part;
                --level;
            } else {
                fill_largest_part(gang, level - 1, begin, end);
            }
        }
        place_in(gang, level, group);
    }

    /// No single part holds the rest: the part with room for most of it takes all it can.
    BURSAR_HD void fill_largest_part(GangPieces& gang,
                                     std::uint32_t level,
                                     std::uint32_t begin,
                                     std::uint32_t end) {
        std::uint32_t largest = none;
        std::uint32_t room = 0;
        each_group(level, begin, end, [&](std::uint32_t group) {
            const std::uint32_t of_group = pool_.fit_of(gang, level, group).num_whole;
            if (of_group > room) {
                room = of_group;
                largest = group;
            }
        });
        assert(largest != none);
        for (; room > 0 && gang.num_whole > 0; --room, --gang.num_whole)
            put(best_node_in(level, largest, whole_row_, gang.whole), gang.whole);
    }

    template <class Act>
    BURSAR_HD void
    each_group(std::uint32_t level, std::uint32_t begin, std::uint32_t end, const Act& act) const {
        for (std::uint32_t i = begin; i < end;) {
            const std::uint32_t group = plan_.group_of(pool_index_, level, pool_.groups.node_at(i));
            act(group);
            i = pool_.groups.end(level, group);
        }
    }

    /// The best group of a level among node_at(begin) .. node_at(end - 1) that holds the gang. By
    /// group: the one with the least free; otherwise the one with the best node for the largest
    /// piece. Ties to the lowest number, counted from the group of the first node.
    BURSAR_HD std::uint32_t best_group(const GangPieces& gang,
                                       std::uint32_t level,
                                       std::uint32_t begin,
                                       std::uint32_t end) const {
        const std::uint32_t num_groups = pool_.groups.num_groups(level);
        const std::uint32_t first = plan_.group_of(pool_index_, level, start_);
        std::uint32_t best = none;
        std::int64_t least = NodeScore::never;
        const auto turn = [&](std::uint32_t group) {
            return group >= first ? group - first : group + num_groups - first;
        };
        each_group(level, begin, end, [&](std::uint32_t group) {
            if (pool_.groups.num_all_free(level, group) < gang.num_whole)
                return;
            const PoolNodes::GroupFit fit = pool_.fit_of(gang, level, group);
            if (!fit.holds(gang))
                return;
            const std::int64_t cost =
                order_ == NodeOrder::by_group ? fit.free_slots : best_score_in(level, group, gang);
            if (cost < least || (cost == least && turn(group) < turn(best))) {
                least = cost;
                best = group;
            }
        });
        return best;
    }

    BURSAR_HD std::int64_t
    best_score_in(std::uint32_t level, std::uint32_t group, const GangPieces& gang) const {
        const std::uint32_t row = gang.is_single() ? rest_row_ : whole_row_;
        const std::uint32_t node = best_node_in(level, group, row, gang.largest());
        return node_score(row, node, gang.largest());
    }

    BURSAR_HD std::int64_t
    node_score(std::uint32_t row, std::uint32_t node, const PieceDemand& piece) const {
        return pool_.best.score(
            row, pool_.states.slot_of(node), pool_.states, piece, placement_, fleet_);
    }

    /// The best node of one group, by score, then by number counted from the first node.
    BURSAR_HD std::uint32_t best_node_in(std::uint32_t level,
                                         std::uint32_t group,
                                         std::uint32_t row,
                                         const PieceDemand& piece) const {
        const std::uint32_t num_nodes = pool_.states.num_nodes();
        std::uint32_t best = none;
        std::uint32_t best_turn = none;
        std::int64_t least = NodeScore::never;
        for (std::uint32_t i = pool_.groups.begin(level, group); i < pool_.groups.end(level, group);
             ++i) {
            const std::uint32_t node = pool_.groups.node_at(i);
            const std::int64_t score = node_score(row, node, piece);
            const std::uint32_t turn = node >= start_ ? node - start_ : node + num_nodes - start_;
            if (score < least ||
                (score == least && score != NodeScore::never && turn < best_turn)) {
                least = score;
                best = node;
                best_turn = turn;
            }
        }
        return best;
    }

    const PlanView& plan_;
    const FleetView& fleet_;
    const Placement& placement_;
    NodeOrder order_;
    PoolId pool_index_;
    PoolNodes& pool_;
    GangPieceLists& lists_;
    std::uint32_t rest_row_;
    std::uint32_t whole_row_;
    std::uint32_t start_{};
    std::uint32_t level_{};
    std::uint32_t first_{GangPieceLists::none};
};

}} // namespace bursar::sim
