#include <doctest/doctest.h>

#include "policies/placement/dot_product.hpp"

#include "tests/policies/placement/node_by_hand.hpp"

namespace bursar::test::dot_product_test {

// Grandl et al., section 3.2: the machine with the highest alignment a . d, both normalised.
TEST_CASE("dot-product sends CPU-heavy jobs to CPU and GPU-heavy ones to GPUs") {
    const FleetView fleet{.max_slots = 8000, .max_cpu_milli = 64'000};
    const PlanPool pool = pool_with(64'000);
    const std::vector<NodeByHand> nodes{
        {pool, {1000, 1000, 1000, 1000, 1000, 1000, 0, 0}, 16'000}, // free: 0.75 GPUs, 0.25 CPU
        {pool, {1000, 1000, 0, 0, 0, 0, 0, 0}, 48'000}};            // free: 0.25 GPUs, 0.75 CPU
    CHECK(choose(DotProduct{}, fleet, nodes, {2, 1000, 4'000, 0}) == 0);  // 0.25, 0.0625
    CHECK(choose(DotProduct{}, fleet, nodes, {1, 1000, 16'000, 0}) == 1); // 0.125, 0.25
    CHECK(choose(DotProduct{}, fleet, nodes, {0, 1000, 1'000, 0}) == 1);
    CHECK(choose(DotProduct{}, fleet, nodes, {2, 1000, 16'000, 0}) == 0); // a tie: the first
    CHECK(choose(DotProduct{}, fleet, nodes, {3, 1000, 60'000, 0}) == 2); // no room
}

TEST_CASE("dot-product, the smallest first, puts large pieces where little else is free") {
    const FleetView fleet{.max_slots = 8000, .max_cpu_milli = 64'000};
    const PlanPool pool = pool_with(64'000);
    const std::vector<NodeByHand> nodes{{pool, {1000, 1000, 1000, 1000}, 16'000},
                                        {pool, {1000, 1000, 0, 0}, 48'000}};
    const DotProduct smallest{.smallest_first = true};
    CHECK(choose(smallest, fleet, nodes, {2, 1000, 4'000, 0}) == 1);
    CHECK(choose(smallest, fleet, nodes, {1, 1000, 16'000, 0}) == 0);
    const std::vector<NodeByHand> equal{{pool, {1000, 1000}, 48'000}, {pool, {1000, 1000}, 16'000}};
    CHECK(choose(smallest, fleet, equal, {1, 1000, 0, 0}) == 1); // the least CPU is left there
}

} // namespace bursar::test::dot_product_test
