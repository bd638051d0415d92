#include <tuple>

#include <doctest/doctest.h>

#include "tools/simulate/standing_nodes.hpp"

namespace bursar::test::standing_nodes_test {
namespace {

/// A fixed pool and a pool of 2 to 8 nodes.
Plan plan_of_range() {
    Plan plan;
    plan.pools.resize(2);
    plan.provisioning.resize(2);
    plan.provisioning[1].is_fixed = false;
    plan.provisioning[1].min_nodes = 2;
    return plan;
}

} // namespace

TEST_CASE(
    "the least number of nodes stands while it is paid for; nodes launched beyond it do not") {
    // One node from the zero on, two more from 10 to 30, and all but one end at 40.
    const std::vector<PaidNodes> paid{{0, 4, 0, 50}, {1, 1, 0, 50}, {1, 2, 10, 30}, {1, 1, 20, 40}};
    CHECK(standing_nodes(plan_of_range(), paid) ==
          std::vector<PaidNodes>{
              {1, 1, 0, 10}, {1, 2, 10, 20}, {1, 2, 20, 30}, {1, 2, 30, 40}, {1, 1, 40, 50}});
}

TEST_CASE("warm nodes stand too, and a schedule changes the least") {
    Plan plan = plan_of_range();
    const std::vector<PaidNodes> paid{{1, 8, 0, 50}};
    for (const auto& [time_ms, pool, least] :
         {std::tuple{10, 1, 6U}, std::tuple{20, 0, 8U}, std::tuple{30, 1, 0U}})
        plan.world.emplace_back(time_ms, MinNodesChange{PoolId{pool}, least});
    CHECK(standing_nodes(plan, paid) == std::vector<PaidNodes>{{1, 2, 0, 10}, {1, 6, 10, 30}});
    plan.provisioning[1].warm_nodes = 3;
    CHECK(standing_nodes(plan, paid) ==
          std::vector<PaidNodes>{{1, 3, 0, 10}, {1, 6, 10, 30}, {1, 3, 30, 50}});
}

TEST_CASE("no node stands that is always up, or in a world without changes") {
    CHECK(standing_nodes(Plan{}, {}).empty());
    Plan plan = plan_of_range();
    plan.provisioning[1].min_nodes = 0;
    CHECK(standing_nodes(plan, {{0, 4, 0, 50}, {1, 3, 0, 50}}).empty());
}

} // namespace bursar::test::standing_nodes_test
