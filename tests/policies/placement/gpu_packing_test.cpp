#include <doctest/doctest.h>

#include "policies/placement/gpu_packing.hpp"

#include "tests/policies/placement/node_by_hand.hpp"

namespace bursar::test::gpu_packing_test {

// The three cases of the source's comment, each before the next.
TEST_CASE("gpu-packing takes shared GPUs, then nodes in use, then the smallest idle node") {
    const FleetView fleet{.max_slots = 4000};
    const PlanPool pool;
    const NodeByHand large{pool, {1000, 1000, 1000, 1000}};
    const NodeByHand idle{pool, {1000, 1000}};
    const NodeByHand in_use{pool, {1000, 1000, 0, 0}};
    const NodeByHand roomy{pool, {1000, 700, 0, 0}};
    const NodeByHand tight{pool, {1000, 600, 600, 0}};
    const PieceDemand half{1, 500};
    CHECK(choose(GpuPacking{}, fleet, {large, idle, in_use, roomy, tight}, half) == 4);
    CHECK(choose(GpuPacking{}, fleet, {large, idle, in_use, roomy}, half) == 3);
    CHECK(choose(GpuPacking{}, fleet, {large, idle, in_use}, half) == 2);
    CHECK(choose(GpuPacking{}, fleet, {large, idle}, half) == 1);
    CHECK(choose(GpuPacking{}, fleet, {large, idle, in_use}, {2, 1000}) == 2);
    CHECK(choose(GpuPacking{}, fleet, {large, idle}, {2, 1000}) == 1);
    CHECK(choose(GpuPacking{}, fleet, {tight, idle}, {2, 1000}) == 1); // no room on the first
    const NodeByHand fuller{pool, {1000, 0, 0, 0}};
    CHECK(choose(GpuPacking{}, fleet, {in_use, fuller}, half) == 1); // less is left there
}

TEST_CASE("gpu-packing scores a piece higher that takes more free GPUs of a node in use") {
    const NodeByHand in_use{PlanPool{}, {1000, 1000, 1000, 0}};
    const auto score = [&](std::uint32_t gpus) {
        return score_node(GpuPacking{}, {.max_slots = 4000}, in_use.view(), {gpus, 1000}).score;
    };
    CHECK(score(1) < score(2));
}

} // namespace bursar::test::gpu_packing_test
