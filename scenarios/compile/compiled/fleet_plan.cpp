#include "scenarios/compile/compiled/fleet_plan.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "sim/engine/nodes/node_view.hpp"

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

/// Nodes of the largest group of a pool that a gang may spread over.
std::uint32_t largest_group(const Plan& plan, std::size_t pool, const JobShape& shape) {
    if (shape.required_level + 1U >= plan.num_levels)
        return plan.pools[pool].num_nodes;
    const std::uint32_t* group =
        &plan.node_group[plan.level_begin[pool * plan.num_levels + shape.required_level]];
    std::vector<std::uint32_t> sizes(plan.pools[pool].num_nodes);
    for (std::uint32_t node = 0; node < plan.pools[pool].num_nodes; ++node)
        ++sizes[group[node]];
    return *std::max_element(sizes.begin(), sizes.end());
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

std::uint64_t
pools_that_hold(const Plan& plan, const JobShape& shape, std::span<const std::uint32_t> most) {
    std::uint64_t pools = 0;
    for (std::size_t p = 0; p < plan.pools.size(); ++p) {
        const PlanPool& pool = plan.pools[p];
        const GangPieces gang = pieces_of(shape, pool.gpus_per_node);
        NodeView empty;
        empty.pool = &pool;
        empty.free_gpus = pool.gpus_per_node;
        empty.cpu_milli = pool.cpu_milli;
        empty.memory_mib = pool.memory_mib;
        const std::uint32_t spare =
            plan.provisioning.empty() ? 0 : plan.provisioning[p].spare_nodes;
        std::uint32_t nodes = std::min(largest_group(plan, p, shape), pool.num_nodes - spare);
        if (!most.empty())
            nodes = std::min(nodes, most[p]);
        if (empty.fits(gang.largest()) && gang.count() <= nodes)
            pools |= std::uint64_t{1} << p;
    }
    return pools;
}

}} // namespace bursar::scenarios
