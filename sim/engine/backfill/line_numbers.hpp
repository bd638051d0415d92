#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/nodes/node_detail.hpp"
#include "sim/engine/nodes/node_lines.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// Numbers the lines (NodeLines) of all nodes of a plan, pool after pool and node after node.
class LineNumbers {
  public:
    LineNumbers() = default;
    BURSAR_HD LineNumbers(ArenaCarver& carver, const PlanView& plan)
        : plan_{plan}, detail_{detail_of(plan)},
          first_{carver.take<std::uint32_t>(plan.num_pools)} {
        for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
            if (first_ != nullptr)
                first_[pool] = num_;
            num_ += plan.pools[pool].num_nodes * lines(pool).num();
        }
    }

    [[nodiscard]] BURSAR_HD std::uint32_t num() const { return num_; }
    [[nodiscard]] BURSAR_HD const NodeDetail& detail() const { return detail_; }
    [[nodiscard]] BURSAR_HD NodeLines lines(PoolId pool) const {
        return lines_of(plan_.pools[pool], detail_);
    }
    [[nodiscard]] BURSAR_HD std::uint32_t
    of(PoolId pool, std::uint32_t node, std::uint32_t line) const {
        return first_[pool] + node * lines(pool).num() + line;
    }

  private:
    PlanView plan_;
    NodeDetail detail_;
    std::uint32_t* first_{}; ///< of each pool
    std::uint32_t num_{};
};

}} // namespace bursar::sim
