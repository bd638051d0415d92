#include <doctest/doctest.h>

#include "policies/placement/worst_fit.hpp"

#include "tests/policies/placement/node_by_hand.hpp"

namespace bursar::test::worst_fit_test {

TEST_CASE("worst-fit takes the node with the most left over, and its emptiest GPU") {
    const FleetView fleet{.max_slots = 4000, .max_cpu_milli = 32'000};
    const PlanPool pool = pool_with(32'000);
    const std::vector<NodeByHand> nodes{{pool, {1000, 1000, 1000, 0}, 4'000},
                                        {pool, {1000, 1000, 0, 0}, 32'000},
                                        {pool, {1000, 500, 500, 0}, 32'000}};
    CHECK(choose(WorstFit{}, fleet, nodes, {1, 1000, 4'000, 0}) == 1);
    const WorstFit gpus_only{{.cpu_milli = 0, .memory_milli = 0}};
    CHECK(choose(gpus_only, fleet, nodes, {1, 1000, 4'000, 0}) == 0);
    CHECK(score_node(WorstFit{}, fleet, nodes[2].view(), {1, 500, 0, 0}).gpu_free == 1000);
    const NodeByHand shared{pool, {0, 500, 700}, 32'000};
    CHECK(score_node(WorstFit{}, fleet, shared.view(), {1, 500, 0, 0}).gpu_free == 700);
}

TEST_CASE("worst-fit compares GPUs of equal nodes alone") {
    // The second node has the least possible more left over, and the fullest GPU.
    const FleetView fleet{.max_slots = 1 << 20, .max_memory_mib = 1 << 20};
    const PlanPool pool = pool_with(0);
    const std::vector<NodeByHand> nodes{{pool, {1000}, 0, 0}, {pool, {1}, 0, 999'001}};
    const WorstFit by_memory{{.cpu_milli = 0, .memory_milli = 1}};
    CHECK(choose(by_memory, fleet, nodes, {1, 1, 0, 0}) == 1);
}

} // namespace bursar::test::worst_fit_test
