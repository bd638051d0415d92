#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/engine/capacity/scored_capacity.hpp"

#include "policies/placement/any_placement.hpp"
#include "policies/placement/placement_setting.hpp"
#include "policies/placement/registry.hpp"
#include "policies/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/sim/arena_block.hpp"
#include "tests/sim/engine/nodes/naive_nodes.hpp"

namespace bursar::test::scored_capacity_test {
namespace {

using Capacity = ScoredCapacity<AnyPlacement>;

/// What a random plan may ask for beside whole GPUs.
struct Wishes {
    bool shares{};
    bool cpu{};
    bool levels{};
};

/// Nested groups of random sizes over every pool: nodes, racks, pods and the pool.
void draw_levels(Plan& plan) {
    plan.num_levels = 4;
    for (const PlanPool& pool : plan.pools) {
        const auto rack = *rc::gen::inRange(1U, 4U);
        const auto pod = rack * *rc::gen::inRange(1U, 4U);
        for (const std::uint32_t size : {1U, rack, pod, pool.num_nodes}) {
            plan.level_begin.push_back(static_cast<std::uint32_t>(plan.node_group.size()));
            for (std::uint32_t node = 0; node < pool.num_nodes; ++node)
                plan.node_group.push_back(node / size);
        }
    }
}

JobShape draw_shape(const Plan& plan, const Wishes& wishes) {
    JobShape shape;
    shape.permitted_pools = *rc::gen::inRange<std::uint64_t>(1, 1U << plan.pools.size());
    std::uint32_t most = 0;
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        if ((shape.permitted_pools >> pool & 1U) != 0)
            most = std::max(most, static_cast<std::uint32_t>(plan.pools[pool].num_gpus()));
    }
    shape.gpus = *rc::gen::inRange(wishes.cpu ? 0U : 1U, std::min(most, 20U) + 1);
    if (shape.gpus > 0 && wishes.shares && *rc::gen::arbitrary<bool>()) {
        shape.gpus = 1;
        shape.gpu_slots = static_cast<std::uint16_t>(100 * *rc::gen::inRange(1, 10));
    }
    if (wishes.cpu) {
        shape.cpu_milli = 1000 * *rc::gen::inRange(0U, 3U) * std::max(shape.gpus, 1U);
        shape.memory_mib = 1024 * *rc::gen::inRange(0U, 3U) * std::max(shape.gpus, 1U);
    }
    if (wishes.levels) {
        shape.required_level = *rc::gen::element<std::uint8_t>(0, 1, 2, 3, JobShape::any_level);
        shape.preferred_level = *rc::gen::element<std::uint8_t>(0, 1, 2, 3, JobShape::any_level);
    }
    return shape;
}

Plan draw_plan(const Wishes& wishes) {
    Plan plan;
    const auto num_pools = *rc::gen::inRange<std::size_t>(1, 4);
    for (std::size_t p = 0; p < num_pools; ++p) {
        PlanPool pool = pool_of(*rc::gen::inRange(1U, 12U), *rc::gen::inRange(1U, 9U));
        if (wishes.cpu) {
            pool.cpu_milli = 1000 * *rc::gen::inRange(0U, 17U);
            pool.memory_mib = 1024 * *rc::gen::inRange(0U, 17U);
        }
        plan.pools.push_back(pool);
    }
    plan.pool_preference.resize(num_pools);
    std::iota(plan.pool_preference.begin(), plan.pool_preference.end(), std::uint16_t{0});
    std::rotate(plan.pool_preference.begin(),
                plan.pool_preference.begin() + *rc::gen::inRange<std::ptrdiff_t>(0, 3) %
                                                   static_cast<std::ptrdiff_t>(num_pools),
                plan.pool_preference.end());
    plan.pools_by_name = plan.pool_preference;
    if (wishes.levels)
        draw_levels(plan);
    const int num_shapes = *rc::gen::inRange(1, 7);
    for (int s = 0; s < num_shapes; ++s)
        plan.shapes.push_back(draw_shape(plan, wishes));
    for (int job = 0; job < 60; ++job) {
        plan.submit_ms.push_back(0);
        plan.work_ms.push_back(1);
        plan.shape.push_back(static_cast<std::uint16_t>(*rc::gen::inRange(0, num_shapes)));
    }
    return plan;
}

PlacementSetting draw_setting(std::string_view placement) {
    PolicyOptions options;
    if (placement == "random")
        options.set("seed", {*rc::gen::inRange(0, 1000)});
    PlacementSetting setting = placement_setting(placement, options);
    setting.in_any_pool = *rc::gen::arbitrary<bool>();
    return setting;
}

/// A plan's capacity in memory of its own.
struct OwnCapacity {
    OwnCapacity(const Plan& plan, const PlacementSetting& setting)
        : block{[&](ArenaCarver& carver) {
              RunOptions options;
              options.placement = setting;
              return Capacity{carver, view_of(plan), 200, options};
          }} {
        block.content.clear();
    }
    ArenaBlock<Capacity> block;
};

struct Held {
    JobId job{};
    Grant grant;
    NaiveNodes::Placed naive;
};

/// Random starts and ends on a random plan; `started(plan, shape, grant, nodes)` sees each start.
template <class Started>
void exercise(const Plan& plan, const PlacementSetting& setting, const Started& started) {
    OwnCapacity own{plan, setting};
    Capacity& capacity = own.block.content;
    NaiveNodes naive{plan, setting};
    std::vector<Held> held;
    for (JobId job{0}; job < plan.num_jobs(); ++job) {
        if (!held.empty() && *rc::gen::inRange(0, 3) == 0) {
            const auto which = *rc::gen::inRange<std::size_t>(0, held.size());
            capacity.release(held[which].grant, plan.shapes[plan.shape[held[which].job]]);
            naive.release(held[which].naive);
            held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
        }
        const JobShape& shape = plan.shapes[plan.shape[job]];
        const bool fits = capacity.fits(shape);
        if (*rc::gen::arbitrary<bool>())
            capacity.prepare(shape);
        RC_ASSERT(capacity.fits(shape) == fits);
        if (fits) {
            const Grant grant = capacity.take(shape, job);
            held.push_back({job, grant, started(capacity, naive, shape, job, grant)});
        } else {
            RC_ASSERT(!naive.place(shape, job));
        }
        for (PoolId pool{0}; pool < plan.pools.size(); ++pool) {
            std::int64_t free = 0;
            for (const NaiveNodes::Node& node : naive.nodes[pool])
                free += std::accumulate(node.gpus.begin(), node.gpus.end(), std::int64_t{0});
            RC_ASSERT(capacity.free_slots(pool) == free);
        }
    }
}

std::vector<std::uint32_t> nodes_of(const Capacity& capacity, const Grant& grant) {
    std::vector<std::uint32_t> nodes; // the last piece comes first
    capacity.for_each_piece(
        grant, [&](std::uint32_t node, std::uint32_t) { nodes.insert(nodes.begin(), node); });
    return nodes;
}

std::uint32_t true_level(const Plan& plan, std::uint32_t pool, std::vector<std::uint32_t> nodes) {
    for (std::uint32_t level = 0; level + 1 < plan.num_levels; ++level) {
        const auto group = [&](std::uint32_t node) {
            return plan.node_group[plan.level_begin[pool * plan.num_levels + level] + node];
        };
        if (std::ranges::all_of(nodes,
                                [&](std::uint32_t n) { return group(n) == group(nodes[0]); }))
            return level;
    }
    return plan.num_levels - 1;
}

} // namespace

TEST_CASE("a full scan over nodes puts every piece on the same node") {
    for (const PolicyInfo& placement : PlacementPolicies::infos("placement")) {
        if (placement.name == "topology")
            continue; // has its own cases below
        for (const Wishes& wishes : {Wishes{},
                                     Wishes{true, false, false},
                                     Wishes{true, true, false},
                                     Wishes{true, true, true}}) {
            CAPTURE(placement.name);
            CHECK(rc::check(std::string{placement.name}, [&] {
                const Plan plan = draw_plan(wishes);
                exercise(plan,
                         draw_setting(placement.name),
                         [&](const Capacity& capacity,
                             NaiveNodes& naive,
                             const JobShape& shape,
                             JobId job,
                             const Grant& grant) {
                             const auto placed = naive.place(shape, job);
                             RC_ASSERT(placed);
                             RC_ASSERT(placed->pool == grant.pool);
                             std::vector<std::uint32_t> nodes;
                             for (const NaivePiece& piece : placed->pieces)
                                 nodes.push_back(piece.node);
                             RC_ASSERT(nodes_of(capacity, grant) == nodes);
                             RC_ASSERT(grant.level == true_level(plan, grant.pool, nodes));
                             RC_ASSERT(shape.required_level >= grant.level);
                             return *placed;
                         });
            }));
        }
    }
}

} // namespace bursar::test::scored_capacity_test
