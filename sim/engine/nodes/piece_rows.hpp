#pragma once

#include <cassert>
#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The kinds of piece that a plan's gangs have, numbered: a shape has a row for its only or last
/// piece and, where some pool divides it over several nodes, one for whole nodes behind it.
class PieceRows {
  public:
    PieceRows() = default;
    BURSAR_HD PieceRows(ArenaCarver& carver, const PlanView& plan)
        : shapes_{plan.shapes}, num_shapes_{plan.num_shapes},
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

}} // namespace bursar::sim
