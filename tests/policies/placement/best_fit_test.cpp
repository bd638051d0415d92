#include <doctest/doctest.h>

#include "policies/placement/best_fit.hpp"

#include "tests/policies/placement/node_by_hand.hpp"

namespace bursar::test::best_fit_test {
namespace {

const FleetView fleet{.max_slots = 4000, .max_cpu_milli = 32'000, .max_memory_mib = 100'000};
const PlanPool pool = pool_with(32'000, 100'000);

} // namespace

TEST_CASE("best-fit-decreasing takes the node with the least left of GPUs, CPU and memory") {
    const std::vector<NodeByHand> nodes{
        {pool, {1000, 1000, 1000, 1000}, 8'000, 100'000}, // 3/4 GPUs, 1/8 CPU, 9/10 memory left
        {pool, {1000, 1000, 0, 0}, 32'000, 100'000},      // 1/4, 7/8, 9/10
        {pool, {1000, 1000, 0, 0}, 32'000, 20'000},       // 1/4, 7/8, 1/10
        {pool, {1000, 0, 0, 0}, 2'000, 10'000},           // too little CPU
    };
    const PieceDemand piece{1, 1000, 4'000, 10'000};
    CHECK(choose(BestFitDecreasing{}, fleet, nodes, piece) == 2);
    const BestFitDecreasing without_memory{{.cpu_milli = 1000, .memory_milli = 0}};
    CHECK(choose(without_memory, fleet, nodes, piece) == 0); // 0.875 before 1.125
    const BestFitDecreasing gpus_only{{.cpu_milli = 0, .memory_milli = 0}};
    CHECK(choose(gpus_only, fleet, nodes, piece) == 1);
}

TEST_CASE("best-fit-decreasing takes its weights from the options") {
    PolicyOptions options;
    options.set("memory_weight", {0});
    CHECK(BestFitDecreasing::from(options).weights.memory_milli == 0);
    CHECK(BestFitDecreasing::from(options).weights.cpu_milli == 1000);
}

TEST_CASE("a part of a GPU comes from the GPU with the fewest free slots that has room") {
    const NodeByHand node{pool_with(0), {1000, 600, 300, 600}};
    CHECK(score_node(BestFitDecreasing{}, fleet, node.view(), {1, 250, 0, 0}).gpu_free == 300);
    CHECK(score_node(BestFitDecreasing{}, fleet, node.view(), {1, 301, 0, 0}).gpu_free == 600);
    CHECK(score_node(BestFitDecreasing{}, fleet, node.view(), {1, 700, 0, 0}).gpu_free == 1000);
}

} // namespace bursar::test::best_fit_test
