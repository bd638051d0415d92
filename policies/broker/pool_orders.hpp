#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// The order in which a broker tries the pools of a plan, from `time_ms` on.
struct PoolOrderChange {
    std::int64_t time_ms{};           ///< since the zero
    std::vector<std::uint16_t> pools; ///< all of them, each once
};

/// A broker's orders of a plan's pools by time. The first is at 0; each differs from the one
/// before.
using PoolOrderChanges = std::vector<PoolOrderChange>;

/// Owned, reserved, on demand, spot; then the scenario's order.
[[nodiscard]] inline std::vector<std::uint16_t> pools_by_purchase(const Plan& plan) {
    std::vector<std::uint16_t> pools(plan.pools.size());
    std::iota(pools.begin(), pools.end(), std::uint16_t{0});
    std::ranges::stable_sort(
        pools, {}, [&](std::uint16_t pool) { return plan.pools[pool].purchase; });
    return pools;
}

/// Whether a pool is paid for even when no job uses it.
[[nodiscard]] inline bool is_paid_anyway(const PlanPool& pool) {
    return pool.purchase == Purchase::owned || pool.purchase == Purchase::reserved;
}

/// The price of a pool's GPU-hour at an instant, in nano-USD; 0 for a pool that is paid anyway.
[[nodiscard]] inline std::int64_t price_at(const Plan& plan, std::size_t pool, Duration at) {
    const PlanPool& own = plan.pools[pool];
    if (is_paid_anyway(own))
        return 0;
    return own.has_series() ? plan.prices.of(own.followed_series()).rate_at(at).count()
                            : own.rate.count();
}

/// Every instant after 0 at which the price of a pool that is not paid anyway may change.
[[nodiscard]] inline std::vector<std::int64_t> price_changes(const Plan& plan) {
    std::vector<std::int64_t> times;
    for (const PlanPool& pool : plan.pools) {
        if (is_paid_anyway(pool) || !pool.has_series())
            continue;
        const PriceIndex& series = plan.prices.series[pool.followed_series()];
        for (std::uint32_t step = 0; step < series.num_steps; ++step)
            if (const std::int64_t at = plan.prices.steps[series.first_step + step].start_ms;
                at > 0)
                times.push_back(at);
    }
    std::ranges::sort(times);
    const auto doubled = std::ranges::unique(times);
    times.erase(doubled.begin(), doubled.end());
    return times;
}

/// Costs of an hour of work beyond the price of the pool, by pool.
struct WorkCosts {
    std::vector<double> held;   ///< GPU-hours for an hour of work
    std::vector<double> moving; ///< to move saved state there, in nano-USD per hour of work
};

/// Cost of an hour of work on a pool now, in nano-USD; on a pool that is paid anyway, the cost of
/// moving there.
[[nodiscard]] inline double
cost_of_work(const Plan& plan, std::size_t pool, Duration at, const WorkCosts& costs) {
    return static_cast<double>(price_at(plan, pool, at)) * costs.held[pool] + costs.moving[pool];
}

/// Sorts pools by the cost of an hour of work now, by insertion: a pool moves before those that
/// cost over (1 + margin_milli / 1000) times as much. A pool that is paid anyway costs only the
/// move there.
[[nodiscard]] inline std::vector<std::uint16_t> by_price(const Plan& plan,
                                                         std::vector<std::uint16_t> pools,
                                                         Duration at,
                                                         std::int64_t margin_milli,
                                                         const WorkCosts& costs) {
    std::vector<double> cost;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        cost.push_back(cost_of_work(plan, pool, at, costs));
    const auto passes = [&](std::uint16_t pool, std::uint16_t other) {
        return cost[pool] * static_cast<double>(1000 + margin_milli) < cost[other] * 1000;
    };
    for (std::size_t i = 1; i < pools.size(); ++i)
        for (std::size_t j = i; j > 0 && passes(pools[j], pools[j - 1]); --j)
            std::swap(pools[j], pools[j - 1]);
    return pools;
}

/// These orders over time. Cost: price steps x pools.
[[nodiscard]] inline PoolOrderChanges
orders_by_price(const Plan& plan, std::int64_t margin_milli, const WorkCosts& costs) {
    PoolOrderChanges changes{{0, by_price(plan, pools_by_purchase(plan), Duration{0}, 0, costs)}};
    for (const std::int64_t at : price_changes(plan)) {
        std::vector<std::uint16_t> pools =
            by_price(plan, changes.back().pools, Duration{at}, margin_milli, costs);
        if (pools != changes.back().pools)
            changes.push_back({at, std::move(pools)});
    }
    return changes;
}
/// The same by the price of GPU-hours alone.
[[nodiscard]] inline PoolOrderChanges orders_by_price(const Plan& plan, std::int64_t margin_milli) {
    const std::size_t num_pools = plan.pools.size();
    return orders_by_price(
        plan, margin_milli, {std::vector<double>(num_pools, 1), std::vector<double>(num_pools)});
}

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
