#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/engine/capacity/scored_capacity.hpp"

#include "policies/placement/any_placement.hpp"
#include "policies/placement/registry.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"
#include "tests/sim/engine/nodes/draw_nodes.hpp"
#include "tests/sim/engine/nodes/naive_nodes.hpp"

namespace bursar::test::scored_capacity_test {
namespace {

using Capacity = ScoredCapacity<AnyPlacement>;

/// A plan's capacity in separate memory.
struct OwnCapacity {
    OwnCapacity(const Plan& plan, const PlacementSetting& setting)
        : block{[&](ArenaCarver& carver) {
              RunOptions options;
              options.placement = setting;
              return Capacity{carver, RunPlan{view_of(plan)}, 200, options};
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
        if (!held.empty() && drawn::in_range(0, 3) == 0) {
            const auto which = drawn::in_range<std::size_t>(0, held.size());
            capacity.release(held[which].grant, plan.shapes[plan.shape[held[which].job]]);
            naive.release(held[which].naive);
            held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
        }
        const JobShape& shape = plan.shapes[plan.shape[job]];
        const bool fits = capacity.fits(shape);
        if (drawn::boolean())
            capacity.prepare(shape);
        RC_ASSERT(capacity.fits(shape) == fits);
        if (fits) {
            const Grant grant = capacity.take(shape, job);
            held.push_back({job, grant, started(capacity, naive, shape, job, grant)});
        } else {
            RC_ASSERT(!naive.place(shape, job));
        }
        for (PoolId pool{0}; pool < plan.pools.size(); ++pool)
            RC_ASSERT(capacity.free_slots(pool) == naive.free_slots(pool));
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
