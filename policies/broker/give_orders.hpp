#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/plan/plan.hpp"

#include "policies/broker/pool_order_change.hpp"

namespace bursar::inline policies {

/// Puts a broker's orders into a plan that has its world: the first one, and events for those that
/// come before `until`.
inline void give_orders(const PoolOrderChanges& changes, Duration until, Plan& plan) {
    plan.pool_preference = changes.front().pools;
    plan.pool_orders.clear();
    for (std::size_t i = 1; i < changes.size() && Duration{changes[i].time_ms} < until; ++i) {
        WorldEvent event;
        event.time_ms = changes[i].time_ms;
        event.node = static_cast<std::uint32_t>(plan.pool_orders.size());
        event.kind = WorldEventKind::pool_order;
        plan.world.push_back(event);
        plan.pool_orders.insert(
            plan.pool_orders.end(), changes[i].pools.begin(), changes[i].pools.end());
    }
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
}

} // namespace bursar::inline policies
