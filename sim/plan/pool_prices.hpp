#pragma once

#include <cstdint>

#include "models/market/price_integral.hpp"
#include "models/units/units.hpp"

#include "sim/plan/ids.hpp"
#include "sim/plan/plan.hpp"

namespace bursar { inline namespace sim {

/// Prices of slots by pool and time, as plain pointers. Empty if the price of every pool is
/// constant.
class PoolPrices {
  public:
    PoolPrices() = default;
    /// Valid as long as the plan.
    explicit PoolPrices(const Plan& plan) {
        each_column(plan.pools.data(), plan, [](auto& pointer, const auto& column) {
            pointer = column.data();
        });
    }

    /// If any price varies, fills the pointers to a plan's prices by `visit(pointer, column)`, and
    /// stores `pools`, which already points to the plan's pools.
    template <class Visit>
    void each_column(const PlanPool* pools, const Plan& plan, const Visit& visit) {
        bool any = false;
        for (const PlanPool& pool : plan.pools)
            any = any || pool.has_series();
        if (!any)
            return;
        pools_ = pools;
        visit(steps_, plan.prices.steps);
        visit(buckets_, plan.prices.buckets);
        visit(series_, plan.prices.series);
    }

    /// Whether the price of some pool varies.
    [[nodiscard]] BURSAR_HD bool vary() const { return pools_ != nullptr; }
    /// Whether the price of a pool varies.
    [[nodiscard]] BURSAR_HD bool varies(PoolId pool) const {
        return vary() && pools_[pool].has_series();
    }
    /// What is paid. Precondition: varies(pool).
    [[nodiscard]] BURSAR_HD PriceIntegral of(PoolId pool) const {
        return {steps_, buckets_, series_[pools_[pool].price_series]};
    }
    /// What decisions follow. Precondition: varies(pool).
    [[nodiscard]] BURSAR_HD PriceIntegral asked(PoolId pool) const {
        return {steps_, buckets_, series_[pools_[pool].followed_series()]};
    }

  private:
    const PlanPool* pools_{};
    const PriceStep* steps_{};
    const std::uint32_t* buckets_{};
    const PriceIndex* series_{};
};

/// A meter of a plan as plain pointers.
class PoolMeter {
  public:
    /// Fills the pointers by `visit(pointer, column)`; null if a column is empty.
    template <class Visit>
    void each_column(const PlanMeter& meter, const Visit& visit) {
        visit(steps_, meter.integrals.steps);
        visit(buckets_, meter.integrals.buckets);
        visit(series_, meter.integrals.series);
        visit(series_of_pool_, meter.series);
    }

    /// Whether the ledger keeps it.
    [[nodiscard]] BURSAR_HD bool is_on() const { return series_of_pool_ != nullptr; }
    /// Whether a pool has rates. Precondition: is_on().
    [[nodiscard]] BURSAR_HD bool has(PoolId pool) const {
        return series_of_pool_[pool] != PlanMeter::no_series;
    }
    /// Precondition: has(pool).
    [[nodiscard]] BURSAR_HD PriceIntegral of(PoolId pool) const {
        return {steps_, buckets_, series_[series_of_pool_[pool]]};
    }

  private:
    const PriceStep* steps_{};
    const std::uint32_t* buckets_{};
    const PriceIndex* series_{};
    const std::uint16_t* series_of_pool_{};
};

}} // namespace bursar::sim
