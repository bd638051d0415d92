#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/capacity/scored_capacity.hpp"

#include "policies/placement/any_placement.hpp"
#include "policies/placement/placement_setting.hpp"
#include "policies/placement/registry.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::test::topology_test {
namespace {

using Capacity = ScoredCapacity<AnyPlacement>;

/// One pool of nodes of 8 GPUs, in racks and pods of given numbers of nodes.
Plan plan_of_racks(std::uint32_t nodes,
                   std::uint32_t per_rack,
                   std::uint32_t per_pod,
                   std::vector<JobShape> shapes) {
    Plan plan;
    plan.pools = {pool_of(nodes, 8)};
    plan.pool_preference = plan.pools_by_name = {0};
    plan.shapes = std::move(shapes);
    plan.num_levels = 4;
    for (const std::uint32_t size : {1U, per_rack, per_pod, nodes}) {
        plan.level_begin.push_back(static_cast<std::uint32_t>(plan.node_group.size()));
        for (std::uint32_t node = 0; node < nodes; ++node)
            plan.node_group.push_back(node / size);
    }
    return plan;
}

struct OwnCapacity {
    OwnCapacity(const Plan& plan, std::string_view placement)
        : block{[&](ArenaCarver& carver) {
              RunOptions options;
              options.placement = placement_setting(placement, {});
              return Capacity{carver, RunPlan{view_of(plan)}, 1000, options};
          }} {
        block.content.clear();
    }
    Capacity& operator*() { return block.content; }
    Capacity* operator->() { return &block.content; }
    ArenaBlock<Capacity> block;
};

std::vector<std::uint32_t> nodes_of(Capacity& capacity, const Grant& grant) {
    std::vector<std::uint32_t> nodes;
    capacity.for_each_piece(grant,
                            [&](std::uint32_t node, std::uint32_t) { nodes.push_back(node); });
    std::ranges::sort(nodes);
    return nodes;
}

JobShape gang(std::uint32_t gpus,
              std::uint8_t required = JobShape::any_level,
              std::uint8_t preferred = JobShape::any_level) {
    JobShape shape{gpus, 1};
    shape.required_level = required;
    shape.preferred_level = preferred;
    return shape;
}

using Nodes = std::vector<std::uint32_t>;

constexpr JobId any_job{0}; // read only by placements that draw nodes

} // namespace

// Twelve nodes of 8 GPUs, racks of 3, pods of 6: racks 0-2, 3-5 | 6-8, 9-11.
TEST_CASE("one gang on a small topology, by hand") {
    const Plan plan = plan_of_racks(12, 3, 6, {gang(8), gang(16), gang(32), gang(64), gang(4)});
    const auto& shapes = plan.shapes;
    {
        OwnCapacity capacity{plan, "topology"};
        const Grant small = capacity->take(shapes[4], any_job); // one node: the lowest number
        CHECK(small.level == 0);
        CHECK(nodes_of(*capacity, small) == Nodes{0});
        // Two nodes: rack 0 has two left and is the fullest that holds them.
        const Grant two = capacity->take(shapes[1], any_job);
        CHECK(two.level == 1);
        CHECK(nodes_of(*capacity, two) == Nodes{1, 2});
        // Four nodes: no rack holds them; pod 0 has too few. Pod 1, a whole rack and one node more.
        const Grant four = capacity->take(shapes[2], any_job);
        CHECK(four.level == 2);
        CHECK(nodes_of(*capacity, four) == Nodes{6, 7, 8, 9});
        // 4 GPUs go beside the other 4.
        CHECK(nodes_of(*capacity, capacity->take(shapes[4], any_job)) == Nodes{0});
        // Two nodes more: rack 3 has just two.
        CHECK(nodes_of(*capacity, capacity->take(shapes[1], any_job)) == Nodes{10, 11});
        CHECK(!capacity->fits(shapes[3]));
        CHECK(!capacity->fits(shapes[2]));
        capacity->release(four, shapes[2]);
        CHECK(capacity->fits(shapes[2])); // now over both pods: the pool's level
        CHECK(capacity->take(shapes[2], any_job).level >= 2);
    }
    OwnCapacity consolidated{plan, "consolidated"};
    consolidated->take(shapes[4], any_job);
    consolidated->take(shapes[4], any_job);
    const Grant blind = consolidated->take(shapes[2], any_job);
    CHECK(nodes_of(*consolidated, blind) == Nodes{1, 2, 3, 4});
    CHECK(blind.level == 2); // its actual level, although not required
}

TEST_CASE("a required level is kept by every placement, a preferred one by topology") {
    const Plan plan = plan_of_racks(12, 3, 6, {gang(16, 1), gang(8), gang(16, 0), gang(16, 2, 2)});
    for (const PolicyInfo& placement : PlacementPolicies::infos("placement")) {
        CAPTURE(placement.name);
        OwnCapacity capacity{plan, placement.name};
        CHECK(!capacity->fits(plan.shapes[2])); // no node has 16 GPUs
        for (int i = 0; i < 4; ++i) {
            REQUIRE(capacity->fits(plan.shapes[0]));
            CHECK(capacity->take(plan.shapes[0], any_job).level == 1);
        }
        CHECK(!capacity->fits(plan.shapes[0])); // a node is left in each rack
        REQUIRE(capacity->fits(plan.shapes[3]));
        CHECK(capacity->take(plan.shapes[3], any_job).level == 2);
    }
    // With a preference for pods it takes the fuller pod, regardless of racks.
    const Plan two_pods = plan_of_racks(12, 3, 6, {gang(8), gang(16, 3, 2), gang(16)});
    OwnCapacity capacity{two_pods, "topology"};
    const Grant first = capacity->take(two_pods.shapes[0], any_job);
    CHECK(nodes_of(*capacity, first) == Nodes{0});
    CHECK(nodes_of(*capacity, capacity->take(two_pods.shapes[2], any_job)) == Nodes{1, 2});
    for (int i = 0; i < 2; ++i)
        capacity->take(two_pods.shapes[0], any_job); // nodes 3 and 4
    capacity->release(first, two_pods.shapes[0]);
    CHECK(nodes_of(*capacity, capacity->take(two_pods.shapes[1], any_job)) == Nodes{0, 5});
}

TEST_CASE("topology takes the narrowest group that holds a gang, and the fewest racks in it") {
    CHECK(check_property([] {
        const auto per_rack = drawn::in_range(1U, 5U);
        const auto per_pod = per_rack * drawn::in_range(1U, 5U);
        const auto nodes = drawn::in_range(1U, 30U);
        std::vector<JobShape> shapes;
        for (int i = 0; i < 4; ++i)
            shapes.push_back(gang(8 * drawn::in_range(1U, std::min(nodes, 12U) + 1)));
        const Plan plan = plan_of_racks(nodes, per_rack, per_pod, shapes);
        OwnCapacity capacity{plan, "topology"};
        std::set<std::uint32_t> taken;
        std::vector<std::pair<Grant, std::size_t>> running;
        for (int step = 0; step < 25; ++step) {
            if (!running.empty() && drawn::in_range(0, 3) == 0) {
                const auto which = drawn::in_range<std::size_t>(0, running.size());
                for (const std::uint32_t node : nodes_of(*capacity, running[which].first))
                    taken.erase(node);
                capacity->release(running[which].first, plan.shapes[running[which].second]);
                running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
            }
            const auto number = drawn::in_range<std::size_t>(0, shapes.size());
            const JobShape& shape = plan.shapes[number];
            const std::uint32_t wanted = shape.gpus / 8;
            const auto free_in = [&](std::uint32_t size) { // the free nodes of each group
                std::vector<std::uint32_t> free((nodes - 1) / size + 1);
                for (std::uint32_t node = 0; node < nodes; ++node)
                    free[node / size] += taken.contains(node) ? 0 : 1;
                std::ranges::sort(free, std::greater<>{});
                return free;
            };
            const std::uint32_t sizes[] = {1, per_rack, per_pod, nodes};
            RC_ASSERT(capacity->fits(shape) == (nodes - taken.size() >= wanted));
            if (!capacity->fits(shape))
                continue;
            const Grant grant = capacity->take(shape, any_job);
            std::uint32_t narrowest = 0;
            while (free_in(sizes[narrowest]).front() < wanted)
                ++narrowest;
            std::set<std::uint32_t> racks;
            for (const std::uint32_t node : nodes_of(*capacity, grant))
                racks.insert(node / per_rack);
            if (narrowest <= 1)
                RC_ASSERT(racks.size() == 1);
            // A gang's actual level: groups of neighbouring levels may have the same nodes.
            RC_ASSERT(grant.level <= narrowest);
            if (narrowest == 3) { // over the whole pool: first as few pods as possible
                std::set<std::uint32_t> pods;
                for (const std::uint32_t node : nodes_of(*capacity, grant))
                    pods.insert(node / per_pod);
                const auto free = free_in(per_pod);
                std::uint32_t fewest = 0;
                for (std::uint32_t sum = 0; sum < wanted; ++fewest)
                    sum += free[fewest];
                RC_ASSERT(pods.size() == fewest);
            }
            for (const std::uint32_t node : nodes_of(*capacity, grant))
                RC_ASSERT(taken.insert(node).second);
            running.emplace_back(grant, number);
        }
    }));
}

} // namespace bursar::test::topology_test
