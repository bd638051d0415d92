#pragma once

#include <cstdint>

#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// The first pool in the broker's order that `shape` may use and that has room for it now, by
/// `has_room(pool)`; num_pools if there is none.
template <class HasRoom>
[[gnu::always_inline]] BURSAR_HD inline PoolId
first_pool(const PlanView& plan, const JobShape& shape, const HasRoom& has_room) {
    for (std::uint32_t i = 0; i < plan.num_pools; ++i) {
        const PoolId pool{plan.pool_preference[shape.order_begin + i]};
        if ((shape.permitted_pools >> pool & 1U) != 0 && has_room(pool))
            return pool;
    }
    return PoolId{plan.num_pools};
}

/// The same for a shape by its number.
template <class HasRoom>
[[gnu::always_inline]] BURSAR_HD inline PoolId
first_pool(const PlanView& plan, ShapeId shape, const HasRoom& has_room) {
    if (plan.num_pools == 1) // which every shape may use
        return PoolId{has_room(PoolId{0}) ? 0U : 1U};
    return first_pool(plan, plan.shapes[shape], has_room);
}

} // namespace bursar::inline sim
