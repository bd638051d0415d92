#include "reports/result/add_grids.hpp"

#include <cassert>
#include <cstddef>
#include <utility>

namespace bursar { inline namespace reports {

Plan at_intensities(const std::vector<GridSeries>& grids, Plan plan) {
    plan.prices = {};
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        plan.pools[pool].price_series =
            grids[pool].size() == 0 ? PlanPool::constant_price
                                    : static_cast<std::uint16_t>(plan.prices.add(grids[pool]));
    return plan;
}

void add_grids(const std::vector<GridSeries>& grids, const Outcome& outcome, Result& result) {
    assert(outcome.fingerprint == result.fingerprint && !outcome.money.empty());
    for (std::size_t pool = 0; pool < result.pools.size(); ++pool) {
        if (grids[pool].size() == 0)
            continue;
        PoolPrice grid = PoolPrice::until(result.end, grids[pool]);
        if (grid.varies())
            result.pools[pool].grid = std::move(grid);
        else // over the run it does not
            result.pools[pool].energy->grid = GridIntensity{grid.rate()->count()};
    }
    for (ResultCell& cell : result.cells)
        if (result.pools[cell.pool].grid)
            cell.grid = GridTime{
                outcome
                    .money[outcome.index(
                        cell.pool,
                        cell.tenant.value_or(static_cast<std::uint32_t>(outcome.num_tenants)),
                        cell.leaf)]
                    .count()};
}

}} // namespace bursar::reports
