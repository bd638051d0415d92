#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/plan/plan.hpp"

#include "policies/broker/pool_order_change.hpp"

namespace bursar { inline namespace policies {

/// Owned, reserved, on demand, spot; then the scenario's order.
[[nodiscard]] inline std::vector<std::uint16_t> pools_by_purchase(const Plan& plan) {
    std::vector<std::uint16_t> pools(plan.pools.size());
    std::iota(pools.begin(), pools.end(), std::uint16_t{0});
    std::ranges::stable_sort(
        pools, {}, [&](std::uint16_t pool) { return plan.pools[pool].purchase; });
    return pools;
}

}} // namespace bursar::policies
