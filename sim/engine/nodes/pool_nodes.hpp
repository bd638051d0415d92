#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/nodes/best_nodes.hpp"
#include "sim/engine/nodes/node_groups.hpp"
#include "sim/engine/nodes/node_states.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Numbers the kinds of pieces of a plan's gangs as rows: a shape has a row for its only or last
/// piece and, if some pool divides it over several nodes, a second one for whole nodes.
class PieceRows {
  public:
    PieceRows() = default;
    BURSAR_HD PieceRows(ArenaCarver& carver, const RunPlan& plan)
        : shapes_{plan.current_shapes}, num_shapes_{plan.num_shapes},
          first_{carver.take<std::uint32_t>(plan.num_shapes)} {
        std::uint32_t min_per_node = max_gpus_per_node;
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            const std::uint32_t per_node = plan.pools[pool].gpus_per_node;
            min_per_node = per_node < min_per_node ? per_node : min_per_node;
        }
        for (ShapeId shape{0}; shape < plan.num_shapes; ++shape) {
            if (first_ != nullptr)
                first_[shape] = num_;
            num_ += plan.shapes[shape].gpus > min_per_node ? 2 : 1;
        }
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num() const { return num_; }
    /// shape: one of the plan's.
    [[nodiscard]] BURSAR_HD std::uint32_t of_rest(const JobShape& shape) const {
        assert(&shape >= shapes_ && &shape < shapes_ + num_shapes_);
        return first_[&shape - shapes_];
    }
    [[nodiscard]] BURSAR_HD std::uint32_t of_whole(const JobShape& shape) const {
        return of_rest(shape) + 1;
    }

  private:
    const JobShape* shapes_{};
    [[maybe_unused]] std::uint32_t num_shapes_{}; ///< read by an assertion alone
    std::uint32_t* first_{};
    std::uint32_t num_{};
};

/// The nodes of one pool, and searches over several nodes.
struct PoolNodes {
    NodeStates states;
    NodeGroups groups;
    BestNodes best;
    std::uint32_t num_all_free{}; ///< nodes with all their GPUs free

    /// The room of a group for a gang.
    struct GroupFit {
        std::uint32_t num_whole{}; ///< nodes with room for a whole node's piece
        std::uint32_t num_rest{};  ///< nodes with room for the rest; includes those above
        std::int64_t free_slots{};

        [[nodiscard]] BURSAR_HD bool holds(const GangPieces& gang) const {
            return num_whole >= gang.num_whole && (!gang.has_rest || num_rest > gang.num_whole);
        }
    };

    /// Whether the pool has room for a gang of several nodes, however far apart.
    [[nodiscard]] BURSAR_HD bool holds_anywhere(const GangPieces& gang) const {
        GroupFit fit;
        for (std::uint32_t i = 0; i < states.num_live() && !fit.holds(gang); ++i) {
            const std::uint32_t slot = states.live(i);
            const NodeView node = states.view(slot);
            if (node.fits(gang.whole))
                fit.num_whole += states.num_in(slot);
            if (gang.has_rest && node.fits(gang.rest))
                fit.num_rest += states.num_in(slot);
        }
        return fit.holds(gang);
    }

    /// Whether some group of a level has room for it.
    [[nodiscard]] BURSAR_HD bool holds_in_group(const GangPieces& gang, std::uint32_t level) const {
        for (std::uint32_t group = 0; group < groups.num_groups(level); ++group) {
            if (groups.num_all_free(level, group) >= gang.num_whole &&
                fit_of(gang, level, group).holds(gang))
                return true;
        }
        return false;
    }

    /// Whether a gang has room on the nodes that are up, each of them empty.
    [[nodiscard]] BURSAR_HD bool
    holds_when_empty(const PlanView& plan, const JobShape& shape, const GangPieces& gang) const {
        if (!states.empty_node().fits(gang.largest()))
            return false;
        const bool anywhere = gang.is_single() || shape.required_level + 1U >= plan.num_levels;
        if (anywhere || shape.required_level == 0)
            return anywhere && states.num_nodes() - states.num_offline() >= gang.count();
        for (std::uint32_t group = 0; group < groups.num_groups(shape.required_level); ++group) {
            std::uint32_t num_up = 0;
            for (std::uint32_t i = groups.begin(shape.required_level, group);
                 i < groups.end(shape.required_level, group);
                 ++i)
                num_up += states.is_offline(groups.node_at(i)) ? 0 : 1;
            if (num_up >= gang.count())
                return true;
        }
        return false;
    }

    [[nodiscard]] BURSAR_HD GroupFit fit_of(const GangPieces& gang,
                                            std::uint32_t level,
                                            std::uint32_t group) const {
        GroupFit fit;
        for (std::uint32_t i = groups.begin(level, group); i < groups.end(level, group); ++i) {
            const NodeView node = states.view(states.slot_of(groups.node_at(i)));
            fit.free_slots += node.free_slots;
            if (gang.num_whole > 0 && node.fits(gang.whole))
                ++fit.num_whole;
            if (gang.has_rest && node.fits(gang.rest))
                ++fit.num_rest;
        }
        return fit;
    }
};

}} // namespace bursar::sim
