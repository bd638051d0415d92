#include <cstddef>
#include <cstdint>
#include <vector>

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
    if (plan.num_levels == 1) // nobody reads groups
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

}} // namespace bursar::sim
