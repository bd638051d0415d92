#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/plan/plan.hpp"

#include "policies/broker/pool_orders.hpp"

namespace bursar { inline namespace policies {

/// Writes a broker's orders into a plan that has its world: the first order of each row
/// (JobShape::order_begin), and an event for each later order before `until`.
inline void give_orders(const std::vector<PoolOrderChanges>& rows, Duration until, Plan& plan) {
    plan.pool_preference.clear();
    plan.pool_orders.clear();
    for (const PoolOrderChanges& changes : rows) {
        const auto begin = static_cast<std::uint32_t>(plan.pool_preference.size());
        const std::vector<std::uint16_t>& first = changes.front().pools;
        plan.pool_preference.insert(plan.pool_preference.end(), first.begin(), first.end());
        for (std::size_t i = 1; i < changes.size() && Duration{changes[i].time_ms} < until; ++i) {
            const auto order = static_cast<std::uint32_t>(plan.pool_orders.size());
            plan.world.emplace_back(changes[i].time_ms, OrderChange{begin, order});
            const std::vector<std::uint16_t>& pools = changes[i].pools;
            plan.pool_orders.insert(plan.pool_orders.end(), pools.begin(), pools.end());
        }
    }
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
}

}} // namespace bursar::policies
