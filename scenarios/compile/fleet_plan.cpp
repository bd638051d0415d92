#include "scenarios/compile/fleet_plan.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"

namespace bursar {
namespace {

/// What is billed in one piece: the term of a reservation, else the granularity of the price.
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
                              billing_step(spec)});
        labels.pools.push_back(spec.name);
        labels.pool_gpus.push_back(spec.gpu);
        labels.pool_regions.push_back(spec.region);
    }
    const std::size_t num_pools = plan.pools.size();
    // The broker `owned-first` follows the order of the enumeration: what is paid anyway comes
    // first.
    plan.pool_preference =
        pools_by(num_pools, [&](std::uint16_t p) { return plan.pools[p].purchase; });
    plan.pools_by_name = pools_by(num_pools, [&](std::uint16_t p) { return labels.pools[p]; });
}

std::uint64_t pools_that_hold(const Plan& plan, std::uint32_t gpus) {
    std::uint64_t pools = 0;
    for (std::size_t p = 0; p < plan.pools.size(); ++p) {
        if (plan.pools[p].num_gpus() >= gpus)
            pools |= std::uint64_t{1} << p;
    }
    return pools;
}

} // namespace bursar
