#include "scenarios/compile/compiled/fleet_plan.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/keys/fleet/fleet_keys.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// The billing step of a pool: the term of a reservation, else the granularity of the price.
Duration billing_step(const PoolSpec& spec) {
    return spec.purchase == Purchase::reserved && spec.term ? *spec.term : spec.billing.granularity;
}

template <class Key>
std::vector<std::uint16_t> pools_by(std::size_t num_pools, Key key) {
    std::vector<std::uint16_t> order(num_pools);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::uint16_t a, std::uint16_t b) {
        return key(a) < key(b);
    });
    return order;
}

} // namespace

void plan_fleet(const Scenario& scenario, Plan& plan, Labels& labels) {
    if (scenario.fleet.size() > max_pools) {
        fail_input(scenario.fleet[max_pools].place,
                   "fleet",
                   mistake(fmt::format("{} pools", scenario.fleet.size()),
                           fmt::format("at most {} are supported", max_pools),
                           "merge pools of one shape and price"));
    }
    for (const PoolSpec& spec : scenario.fleet) {
        plan.pools.push_back({static_cast<std::uint32_t>(spec.nodes),
                              static_cast<std::uint32_t>(spec.gpus_per_node),
                              spec.purchase,
                              spec.rate,
                              billing_step(spec),
                              static_cast<std::uint32_t>(spec.cpu_milli),
                              static_cast<std::uint32_t>(spec.memory_bytes / mebibyte)});
        labels.pools.push_back(spec.name);
        labels.pool_gpus.push_back(spec.gpu);
        labels.pool_regions.push_back(spec.region);
    }
    const std::size_t num_pools = plan.pools.size();
    plan.pools_by_name = pools_by(num_pools, [&](std::uint16_t p) { return labels.pools[p]; });
}

}} // namespace bursar::scenarios
