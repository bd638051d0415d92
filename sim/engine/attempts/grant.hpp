#pragma once

#include <cstdint>

#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// The capacity of a gang: a pool, and a handle of the capacity that gave it.
struct Grant {
    StoredPoolId pool{};
    std::uint16_t level{}; ///< locality level of its nodes; 0 if the plan has one level
    std::uint32_t first_piece{};
};

/// The locality level of a gang as an index of Plan::speeds: a gang is as slow as its slowest node.
/// By count, no node is slow.
template <class Capacity>
[[nodiscard]] BURSAR_HD std::uint32_t
level_with_pace(const PlanView& plan, const Capacity& capacity, const Grant& grant) {
    std::uint32_t level = grant.level;
    if constexpr (!Capacity::counts_only) {
        if (plan.slow_nodes != nullptr) [[unlikely]] {
            bool is_slow = false;
            capacity.for_each_piece(grant, [&](std::uint32_t node, std::uint32_t) {
                is_slow |= plan.is_slow(PoolId{grant.pool}, node);
            });
            level += is_slow ? plan.num_levels : 0;
        }
    }
    return level;
}

}} // namespace bursar::sim
