#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "policies/placement/fragmentation_descent.hpp"

#include "tests/policies/placement/node_by_hand.hpp"

namespace bursar::test::fragmentation_descent_test {
namespace {

JobShape shape_of(std::uint32_t gpus, std::uint16_t slots, std::uint32_t cpu_milli) {
    JobShape shape{gpus, 1};
    shape.gpu_slots = slots;
    shape.cpu_milli = cpu_milli;
    return shape;
}

/// A job mix: shapes and their numbers.
struct Mix {
    std::vector<JobShape> shapes;
    std::vector<std::uint32_t> jobs;
    [[nodiscard]] FleetView fleet() const {
        return {.max_slots = 2000,
                .max_cpu_milli = 16'000,
                .shapes = shapes.data(),
                .jobs_of_shape = jobs.data(),
                .num_shapes = static_cast<std::uint32_t>(shapes.size())};
    }
};

} // namespace

// Weng et al., section 3.2: F_n(m) is everything free if m does not fit, otherwise the free slots
// of GPUs with less than m requests of one; weighted by the number of jobs m.
TEST_CASE("free slots that the job mix cannot use, by hand") {
    const NodeByHand node{pool_with(16'000), {1000, 600}, 8'000};
    const auto alone = [&](const JobShape& shape) {
        const Mix mix{{shape}, {1}};
        return unusable_slots(mix.fleet(), node.view());
    };
    CHECK(alone(shape_of(1, 500, 4'000)) == 0);
    CHECK(alone(shape_of(1, 700, 4'000)) == 600);  // the second GPU has less
    CHECK(alone(shape_of(1, 1000, 4'000)) == 600); // likewise
    CHECK(alone(shape_of(2, 1000, 4'000)) == 1600);
    CHECK(alone(shape_of(1, 500, 9'000)) == 1600);  // too little CPU
    CHECK(alone(shape_of(0, 1000, 1'000)) == 1600); // uses no GPU
    JobShape elsewhere = shape_of(1, 500, 4'000);
    elsewhere.permitted_pools = 2;
    CHECK(alone(elsewhere) == 1600);
    const Mix mix{{shape_of(1, 700, 4'000), shape_of(2, 1000, 4'000)}, {3, 2}};
    CHECK(unusable_slots(mix.fleet(), node.view()) == 3 * 600 + 2 * 1600);
}

TEST_CASE("fgd keeps whole GPUs free that the mix needs") {
    // Half the jobs request half a GPU, the others a whole one.
    const Mix mix{{shape_of(1, 500, 0), shape_of(1, 1000, 0)}, {1, 1}};
    const PlanPool pool = pool_with(0);
    const std::vector<NodeByHand> nodes{{pool, {1000, 1000}}, {pool, {0, 500}}};
    CHECK(choose(FragmentationDescent{}, mix.fleet(), nodes, {1, 500, 0, 0}) == 1);
    CHECK(choose(FragmentationDescent{}, mix.fleet(), nodes, {1, 1000, 0, 0}) == 0);
    // On one node, the half goes beside the other half.
    const NodeByHand node{pool, {1000, 500}};
    CHECK(score_node(FragmentationDescent{}, mix.fleet(), node.view(), {1, 500, 0, 0}).gpu_free ==
          500);
}

TEST_CASE("fgd goes by the growth of fragmentation, not by its amount") {
    // Half a GPU makes 500 slots of the first node useless, and uses 500 useless ones of the
    // second.
    const Mix mix{{shape_of(1, 1000, 0)}, {1}};
    const PlanPool pool = pool_with(0);
    const std::vector<NodeByHand> nodes{{pool, {1000, 0}}, {pool, {600, 600}}};
    CHECK(choose(FragmentationDescent{}, mix.fleet(), nodes, {1, 500, 0, 0}) == 1);
}

TEST_CASE("between equal nodes fgd takes the one with the least left") {
    const Mix mix{{shape_of(1, 1000, 1'000)}, {1}};
    const PlanPool pool = pool_with(16'000);
    const std::vector<NodeByHand> nodes{
        {pool, {1000, 1000}, 16'000}, {pool, {1000, 0}, 9'000}, {pool, {1000, 0}, 8'000}};
    CHECK(choose(FragmentationDescent{}, mix.fleet(), nodes, {1, 1000, 1'000, 0}) == 2);
}

} // namespace bursar::test::fragmentation_descent_test
