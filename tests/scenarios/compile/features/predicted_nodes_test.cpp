#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/features/predicted_nodes.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"

namespace bursar::predicted_nodes_test {
namespace {

constexpr std::int64_t hour_s = 3600;

/// An owned pool of one node of 4 GPUs, and 1 to 8 nodes of 4 in a cloud.
Scenario two_pools() {
    PoolSpec cloud = test::pool_spec("cloud", "H100", 8, 4);
    cloud.purchase = Purchase::on_demand;
    cloud.min_nodes = 1;
    cloud.provisioning.predictive = 1;
    return test::scenario_of({test::pool_spec("owned", "H100", 1, 4), cloud});
}

Plan plan_of(const Scenario& scenario, const std::vector<std::array<std::int64_t, 3>>& rows) {
    return compile(scenario, builtin_catalogue(), test::trace_of(rows)).plan;
}

} // namespace

TEST_CASE("demand is added up by hour, as if each job began at its submit") {
    // 4 GPUs from 0:30 to 2:15, and 8 from 2:00 to 2:15.
    const Plan plan = plan_of(
        two_pools(), {{0, 0, 1}, {hour_s / 2, 7 * hour_s / 4, 4}, {2 * hour_s, hour_s / 4, 8}});
    const std::vector<HourlyDemand> demand = hourly_demand(plan, 30 * day);
    std::vector<double> gpus(4);
    for (const HourlyDemand& group : demand)
        for (std::size_t at = 0; at < group.slot_ms.size(); ++at)
            gpus[at] += static_cast<double>(group.slot_ms[at]) / slots_per_gpu / 3.6e6;
    CHECK(gpus == std::vector<double>{2, 4, 3, 0});
}

TEST_CASE("needed nodes are those beyond owned nodes, whole nodes, up to the largest number") {
    const Plan plan = plan_of(two_pools(),
                              {{0, hour_s, 4},           // the owned node
                               {hour_s, hour_s, 9},      // 5 GPUs: two nodes
                               {2 * hour_s, hour_s, 32}, // 28: seven
                               {3 * hour_s, hour_s, 32}, // more than there are
                               {3 * hour_s, hour_s, 32}});
    const auto demand = hourly_demand(plan, 30 * day);
    const auto cloud = [&](std::size_t at, double times) {
        return nodes_needed(plan, demand, at, times)[1];
    };
    CHECK(cloud(0, 1) == 0);
    CHECK(cloud(1, 1) == 2);
    CHECK(cloud(2, 1) == 7);
    CHECK(cloud(3, 1) == 8);
    CHECK(cloud(99, 1) == 0);
    CHECK(cloud(0, 1.5) == 1);
    CHECK(cloud(1, 2) == 4);
}

TEST_CASE("a week later the needed nodes are up, and there is no other prediction") {
    const Plan plan = plan_of(two_pools(),
                              {{0, 0, 1},
                               {hour_s, hour_s, 9},
                               {2 * hour_s, hour_s, 9},
                               {4 * hour_s, hour_s, 32},
                               {20 * 24 * hour_s, hour_s, 1}});
    std::vector<std::pair<std::int64_t, std::uint32_t>> steps;
    for (const WorldEvent& event : plan.world) {
        REQUIRE(event.is<MinNodesChange>());
        CHECK(event.pool() == 1);
        steps.emplace_back(event.time_ms / 3'600'000 - 7 * 24,
                           event.as<MinNodesChange>().num_nodes);
    }
    CHECK(steps ==
          std::vector<std::pair<std::int64_t, std::uint32_t>>{{1, 2}, {3, 1}, {4, 7}, {5, 1}});
    CHECK(plan.provisioning[1].first_nodes == 1);
}

} // namespace bursar::predicted_nodes_test
