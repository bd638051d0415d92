#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// From when on a broker tries the pools of a plan in an order.
struct PoolOrderChange {
    std::int64_t time_ms{};           ///< since the zero
    std::vector<std::uint16_t> pools; ///< all of them, each once
};

/// What a broker makes of a plan's pools, by time; the first at 0, and each unlike the one before.
using PoolOrderChanges = std::vector<PoolOrderChange>;

/// Owned, reserved, on demand, spot; then the scenario's order.
[[nodiscard]] inline std::vector<std::uint16_t> pools_by_purchase(const Plan& plan) {
    std::vector<std::uint16_t> pools(plan.pools.size());
    std::iota(pools.begin(), pools.end(), std::uint16_t{0});
    std::ranges::stable_sort(
        pools, {}, [&](std::uint16_t pool) { return plan.pools[pool].purchase; });
    return pools;
}

/// Whether a pool is paid for whether jobs use it or not.
[[nodiscard]] inline bool is_paid_anyway(const PlanPool& pool) {
    return pool.purchase == Purchase::owned || pool.purchase == Purchase::reserved;
}

/// The price of a pool's GPU-hour at an instant, in nano-USD; of one that is paid anyway nothing.
[[nodiscard]] inline std::int64_t price_at(const Plan& plan, std::size_t pool, Duration at) {
    const PlanPool& own = plan.pools[pool];
    if (is_paid_anyway(own))
        return 0;
    return own.has_series() ? plan.prices.of(own.price_series).rate_at(at).count()
                            : own.rate.count();
}

/// Every instant after 0 at which the price of a pool that is not paid anyway may change.
[[nodiscard]] inline std::vector<std::int64_t> price_changes(const Plan& plan) {
    std::vector<std::int64_t> times;
    for (const PlanPool& pool : plan.pools) {
        if (is_paid_anyway(pool) || !pool.has_series())
            continue;
        const PriceIndex& series = plan.prices.series[pool.price_series];
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

/// What makes an hour of work cost more than the price of a pool, by pool.
struct WorkCosts {
    std::vector<double> held;   ///< GPU-hours for an hour of work
    std::vector<double> moving; ///< to get what is saved there, in nano-USD for an hour of work
};

/// What an hour of work costs on a pool now, in nano-USD; of one that is paid anyway what it takes
/// to move there.
[[nodiscard]] inline double
cost_of_work(const Plan& plan, std::size_t pool, Duration at, const WorkCosts& costs) {
    return static_cast<double>(price_at(plan, pool, at)) * costs.held[pool] + costs.moving[pool];
}

/// Pools by what an hour of work costs on them now, one after the other: each passes those in front
/// of it that cost more than it does and `margin_milli` thousandths of that. What is paid anyway
/// costs nothing, but where something must be moved there.
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
/// The same by the price of GPU-hours, whatever is done in them.
[[nodiscard]] inline PoolOrderChanges orders_by_price(const Plan& plan, std::int64_t margin_milli) {
    const std::size_t num_pools = plan.pools.size();
    return orders_by_price(
        plan, margin_milli, {std::vector<double>(num_pools, 1), std::vector<double>(num_pools)});
}

}} // namespace bursar::policies
