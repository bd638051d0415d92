#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/energy/metered.hpp"
#include "models/market/price_series.hpp"

#include "sim/plan/plan_flaw.hpp"

namespace bursar { inline namespace sim {
namespace {

constexpr std::uint32_t max_levels = JobShape::any_level;

/// Whether each group of a level lies in one group of the next.
bool are_nested(const Plan& plan, std::size_t pool, std::size_t level) {
    constexpr std::uint32_t unknown = 0xffffffffU;
    const std::uint32_t num_nodes = plan.pools[pool].num_nodes;
    const std::uint32_t* narrow =
        &plan.node_group[plan.level_begin[pool * plan.num_levels + level]];
    const std::uint32_t* wide =
        &plan.node_group[plan.level_begin[pool * plan.num_levels + level + 1]];
    std::vector<std::uint32_t> wide_of(num_nodes, unknown);
    for (std::uint32_t node = 0; node < num_nodes; ++node) {
        std::uint32_t& of = wide_of[narrow[node]];
        if (of != unknown && of != wide[node])
            return false;
        of = wide[node];
    }
    return true;
}

/// Whether the groups of a pool at a level are numbered inside its number of nodes.
bool are_groups(const Plan& plan, std::size_t pool, std::size_t level) {
    const std::uint64_t begin = plan.level_begin[pool * plan.num_levels + level];
    const std::uint32_t num_nodes = plan.pools[pool].num_nodes;
    if (begin + num_nodes > plan.node_group.size())
        return false;
    for (std::uint64_t node = begin; node < begin + num_nodes; ++node)
        if (plan.node_group[node] >= num_nodes)
            return false;
    return true;
}

void check_levels(const Plan& plan, PlanFlaw& flaw) {
    flaw.require(plan.num_levels > 0 && plan.num_levels < max_levels, "num_levels is out of range");
    if (plan.num_levels == 1) // groups are not read
        return;
    flaw.length("level_begin", plan.level_begin, plan.pools.size() * plan.num_levels);
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        for (std::size_t level = 0; level < plan.num_levels && flaw.is_none(); ++level)
            flaw.require(are_groups(plan, pool, level), "node_group is out of range");
        for (std::size_t level = 0; level + 1 < plan.num_levels && flaw.is_none(); ++level)
            flaw.require(are_nested(plan, pool, level), "node_group has levels that do not nest");
    }
}

void check_slow_nodes(const Plan& plan, PlanFlaw& flaw) {
    if (plan.slow_nodes.empty())
        return;
    flaw.length("slow_begin", plan.slow_begin, plan.pools.size());
    flaw.each("slow_begin", plan.slow_begin, [&](std::uint32_t begin, std::size_t pool) {
        return std::uint64_t{begin} + plan.pools[pool].num_nodes <= plan.slow_nodes.size();
    });
}

} // namespace

void check_places(const Plan& plan, PlanFlaw& flaw) {
    check_levels(plan, flaw);
    check_slow_nodes(plan, flaw);
}

namespace {

/// Most GPUs in all pools whose slots fit the type that counts them.
constexpr std::int64_t max_gpus = std::int64_t{1} << 31;

void check_pools(const Plan& plan, PlanFlaw& flaw) {
    flaw.require(!plan.pools.empty() && plan.pools.size() <= max_pools,
                 "the plan has no pools, or too many");
    std::int64_t num_gpus = 0;
    flaw.each("pools", plan.pools, [&](const PlanPool& one) {
        const bool is_node = one.gpus_per_node > 0 && one.gpus_per_node <= max_gpus_per_node;
        num_gpus += is_node ? one.num_gpus() : 0; // other products may overflow
        return is_node && one.num_nodes > 0 && num_gpus < max_gpus &&
               one.purchase <= Purchase::spot && one.rate >= MoneyRate{} &&
               one.billing_step > Duration{} && is_span(one.billing_step) &&
               (!one.has_series() || one.price_series < plan.prices.series.size()) &&
               (one.asked_series == PlanPool::constant_price ||
                (one.has_series() && one.asked_series < plan.prices.series.size()));
    });
}

/// Whether each run of `num_pools` entries names every pool once.
bool are_orders(const std::vector<std::uint16_t>& pools, std::size_t num_pools) {
    if (pools.size() % num_pools != 0)
        return false;
    std::vector<std::size_t> last_order(num_pools, 0);
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const std::size_t order = 1 + i / num_pools;
        if (pools[i] >= num_pools || last_order[pools[i]] == order)
            return false;
        last_order[pools[i]] = order;
    }
    return true;
}

void check_orders(const Plan& plan, PlanFlaw& flaw) {
    flaw.length_if_any("pool_region", plan.pool_region, plan.pools.size());
    flaw.each("pool_region", plan.pool_region, [](std::uint8_t one) { return one < max_pools; });
    flaw.length("pools_by_name", plan.pools_by_name, plan.pools.size());
    flaw.require(are_orders(plan.pools_by_name, plan.pools.size()),
                 "pools_by_name does not name each pool once");
    flaw.require(are_orders(plan.pool_preference, plan.pools.size()) &&
                     plan.pool_preference.size() % plan.order_length() == 0,
                 "pool_preference holds something else than orders of all pools");
    flaw.require(are_orders(plan.pool_orders, plan.pools.size()),
                 "pool_orders holds something else than orders of all pools");
}

/// Whether the steps of a series lie where its entry says, and form a valid series.
bool has_steps(const PriceIntegrals& prices, const PriceIndex& index) {
    return std::uint64_t{index.first_step} + index.num_steps <= prices.steps.size();
}

/// Checks sums and buckets against those that result from adding the series again.
bool are_integrals(const PriceIntegrals& prices) {
    PriceIntegrals again;
    for (std::uint32_t place = 0; place < prices.series.size(); ++place) {
        if (!has_steps(prices, prices.series[place]))
            return false;
        const PriceSeries series = prices.series_at(place);
        if (!series.is_valid() || again.steps.size() + series.size() > prices.steps.size())
            return false;
        again.add(series);
    }
    const auto same_step = [](const PriceStep& a, const PriceStep& b) {
        return a.start_ms == b.start_ms && a.rate == b.rate && a.before == b.before;
    };
    const auto same_index = [](const PriceIndex& a, const PriceIndex& b) {
        return a.first_step == b.first_step && a.num_steps == b.num_steps &&
               a.first_bucket == b.first_bucket && a.num_buckets == b.num_buckets &&
               a.bucket_width_log == b.bucket_width_log;
    };
    return again.buckets == prices.buckets &&
           std::ranges::equal(again.steps, prices.steps, same_step) &&
           std::ranges::equal(again.series, prices.series, same_index);
}

/// A pool whose grid varies has energy with a grid, which its result is made of.
void check_grid(const Plan& plan, PlanFlaw& flaw) {
    flaw.length_if_any("grid.series_of_pool", plan.grid.series, plan.pools.size());
    flaw.each("grid.series_of_pool", plan.grid.series, [&](std::uint16_t one, std::size_t pool) {
        return one == PlanMeter::no_series ||
               (one < plan.grid.integrals.series.size() && pool < plan.energy.size() &&
                plan.energy[pool].grid.has_value());
    });
    flaw.require(are_integrals(plan.grid.integrals), "grid: not integrals of its steps");
}

void check_energy(const Plan& plan, PlanFlaw& flaw) {
    flaw.length_if_any("energy", plan.energy, plan.pools.size());
    flaw.each("energy", plan.energy, [](const PlanEnergy& one) {
        const bool has_grid =
            !one.grid || (*one.grid >= GridIntensity{} && *one.grid <= max_grid_intensity);
        return one.idle >= DrawnPower{} && one.idle <= one.busy && one.busy <= max_drawn_power &&
               one.pue_milli >= 1000 && one.pue_milli <= max_pue_milli && has_grid &&
               one.embodied >= EmbodiedRate{} && one.embodied <= max_embodied_rate;
    });
}

} // namespace

void check_fleet(const Plan& plan, PlanFlaw& flaw) {
    check_pools(plan, flaw);
    if (flaw.is_none())
        check_orders(plan, flaw);
    flaw.require(are_integrals(plan.prices), "prices are not integrals of their steps");
    check_grid(plan, flaw);
    check_energy(plan, flaw);
}

}} // namespace bursar::sim
