#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "policies/placement/placement_setting.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"

/// Random plans, to place their jobs on nodes.
namespace bursar::test {

/// Requests of a random plan other than whole GPUs.
struct Wishes {
    bool shares{};
    bool cpu{};
    bool levels{};
};

/// Nested groups of random sizes over every pool: nodes, racks, pods and the pool.
inline void draw_network_levels(Plan& plan) {
    plan.num_levels = 4;
    for (const PlanPool& pool : plan.pools) {
        const auto rack = drawn::in_range(1U, 4U);
        const auto pod = rack * drawn::in_range(1U, 4U);
        for (const std::uint32_t size : {1U, rack, pod, pool.num_nodes}) {
            plan.level_begin.push_back(static_cast<std::uint32_t>(plan.node_group.size()));
            for (std::uint32_t node = 0; node < pool.num_nodes; ++node)
                plan.node_group.push_back(node / size);
        }
    }
}

inline JobShape draw_shape(const Plan& plan, const Wishes& wishes) {
    JobShape shape;
    shape.permitted_pools = drawn::in_range<std::uint64_t>(1, 1U << plan.pools.size());
    std::uint32_t most = 0;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        if ((shape.permitted_pools >> pool & 1U) != 0)
            most = std::max(most, static_cast<std::uint32_t>(plan.pools[pool].num_gpus()));
    }
    shape.gpus = drawn::in_range(wishes.cpu ? 0U : 1U, std::min(most, 20U) + 1);
    if (shape.gpus > 0 && wishes.shares && drawn::boolean()) {
        shape.gpus = 1;
        shape.gpu_slots = static_cast<std::uint16_t>(100 * drawn::in_range(1, 10));
    }
    if (wishes.cpu) {
        shape.cpu_milli = 1000 * drawn::in_range(0U, 3U) * std::max(shape.gpus, 1U);
        shape.memory_mib = 1024 * drawn::in_range(0U, 3U) * std::max(shape.gpus, 1U);
    }
    if (wishes.levels) {
        shape.required_level = drawn::one_of<std::uint8_t>(0, 1, 2, 3, JobShape::any_level);
        shape.preferred_level = drawn::one_of<std::uint8_t>(0, 1, 2, 3, JobShape::any_level);
    }
    return shape;
}

inline Plan draw_plan(const Wishes& wishes) {
    Plan plan;
    const auto num_pools = drawn::in_range<std::size_t>(1, 4);
    for (std::size_t p = 0; p < num_pools; ++p) {
        PlanPool pool = pool_of(drawn::in_range(1U, 30U), drawn::in_range(1U, 9U));
        if (wishes.cpu) {
            pool.cpu_milli = 1000 * drawn::in_range(0U, 17U);
            pool.memory_mib = 1024 * drawn::in_range(0U, 17U);
        }
        plan.pools.push_back(pool);
    }
    plan.pool_preference.resize(num_pools);
    std::iota(plan.pool_preference.begin(), plan.pool_preference.end(), std::uint16_t{0});
    std::rotate(plan.pool_preference.begin(),
                plan.pool_preference.begin() +
                    drawn::in_range<std::ptrdiff_t>(0, 3) % static_cast<std::ptrdiff_t>(num_pools),
                plan.pool_preference.end());
    plan.pools_by_name = plan.pool_preference;
    if (wishes.levels)
        draw_network_levels(plan);
    const int num_shapes = drawn::in_range(1, 7);
    for (int s = 0; s < num_shapes; ++s)
        plan.shapes.push_back(draw_shape(plan, wishes));
    for (int job = 0; job < 60; ++job) {
        plan.submit_ms.push_back(0);
        plan.work_ms.push_back(1);
        plan.shape.push_back(static_cast<std::uint16_t>(drawn::in_range(0, num_shapes)));
    }
    return plan;
}

inline PlacementSetting draw_setting(std::string_view placement) {
    PolicyOptions options;
    if (placement == "random")
        options.set("seed", {drawn::in_range(0, 1000)});
    PlacementSetting setting = placement_setting(placement, options);
    setting.in_any_pool = drawn::boolean();
    return setting;
}

} // namespace bursar::test
