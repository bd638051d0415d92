#pragma once

#include <cstdint>

#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

/// What there is to hand out where nodes come and go.
namespace bursar { inline namespace sim {

/// Free slots; by count, where jobs hold more than there is, less than none.
template <class Capacity>
[[nodiscard]] BURSAR_HD std::int64_t free_or_owed(const Capacity& capacity, PoolId pool) {
    if constexpr (Capacity::counts_only)
        return capacity.balance(pool);
    else
        return capacity.free_slots(pool);
}

/// What an attempt holds of nodes that take work.
template <class Capacity>
[[nodiscard]] BURSAR_HD std::int64_t
slots_on_nodes_up(const Capacity& capacity, const PlanView& plan, const Attempt& attempt) {
    const JobShape& shape = plan.shapes[attempt.shape];
    if constexpr (Capacity::counts_only) {
        return shape.slots();
    } else {
        std::int64_t gpus_up = 0;
        capacity.for_each_piece({attempt.pool, attempt.level, attempt.first_piece},
                                [&](std::uint32_t node, std::uint32_t gpus) {
                                    if (!capacity.is_offline(PoolId{attempt.pool}, node))
                                        gpus_up += gpus;
                                });
        return gpus_up * shape.gpu_slots;
    }
}

}} // namespace bursar::sim
