#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "policies/runs/simulate.hpp"

#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"

// Random runs with all kinds of bookings, and bills of a part of their time.
namespace bursar::test {

inline Outcome ledger_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate_ledger(plan, order_for(plan, choice), choice, workspace);
}

inline PriceSeries draw_series() {
    PriceSeries series;
    std::int64_t start_ms = drawn::in_range<std::int64_t>(-5'000, 10'000);
    for (int steps = drawn::in_range(1, 7); steps > 0; --steps) {
        series.start_ms.push_back(start_ms);
        series.rate.push_back(drawn::in_range<std::int64_t>(0, 5));
        start_ms += drawn::in_range<std::int64_t>(1, 20'000);
    }
    return series;
}

/// Jobs end in every way, nodes go and come back, and the bill covers a part.
inline Plan draw_run() {
    Plan plan = draw_plan({.max_pools = 2, // so that a job is often stopped on one again
                           .with_every_save = drawn::boolean(),
                           .with_speeds = drawn::boolean(),
                           .with_details = drawn::boolean()});
    for (JobEnd& end : plan.end)
        end = static_cast<JobEnd>(drawn::in_range(0, 5));
    if (drawn::boolean())
        plan.world = draw_world(plan);
    if (!plan.world.empty() || drawn::boolean()) // jobs may wait without end
        plan.until = drawn::in_range(1, 120) * second;
    if (drawn::boolean())
        plan.measure_from = Duration{drawn::in_range(0, 40'000)};
    if (drawn::boolean())
        plan.measure_to = plan.measure_from + Duration{drawn::in_range(1, 60'000)};
    return plan;
}

/// Gives some pools, the first among them, prices that vary; the series by pool, empty where the
/// price is constant.
inline std::vector<PriceSeries> give_prices(Plan& plan) {
    std::vector<PriceSeries> given(plan.pools.size());
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        if (pool > 0 && drawn::boolean())
            continue;
        given[pool] = draw_series();
        plan.pools[pool].price_series = static_cast<std::uint16_t>(plan.prices.add(given[pool]));
    }
    return given;
}

/// Gives some pools, the first among them, grids that change.
inline void give_grid(Plan& plan) {
    plan.energy.assign(plan.pools.size(), PlanEnergy{.pue_milli = 1000, .grid = GridIntensity{}});
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        plan.grid.series.push_back(
            pool > 0 && drawn::boolean()
                ? PlanMeter::no_series
                : static_cast<std::uint16_t>(plan.grid.integrals.add(draw_series())));
}

/// The slot-time of each cell inside [begin, end) and the plan's own window.
inline std::vector<SlotTime>
time_inside(Plan plan, const PolicyChoice& choice, std::int64_t begin_ms, std::int64_t end_ms) {
    plan.measure_from = std::max(plan.measure_from, Duration{begin_ms});
    const Duration end = std::min(plan.measure_to.value_or(Duration{end_ms}), Duration{end_ms});
    plan.measure_to = std::max(plan.measure_from, end);
    return ledger_of(plan, choice).cells;
}

} // namespace bursar::test
