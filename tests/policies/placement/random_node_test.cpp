#include <cstdint>
#include <cstdlib>
#include <vector>

#include <doctest/doctest.h>

#include "policies/placement/random_node.hpp"

namespace bursar::random_node_test {

TEST_CASE("random draws nodes evenly, by seed and job alone") {
    const RandomNode place{7};
    constexpr std::uint32_t num_nodes = 10;
    std::vector<int> drawn(num_nodes);
    int as_with_another_seed = 0;
    for (JobId job{0}; job < 10'000; ++job) {
        const std::uint32_t node = place.first_node(job, num_nodes);
        REQUIRE(node < num_nodes);
        CHECK(place.first_node(job, num_nodes) == node);
        ++drawn[node];
        as_with_another_seed += RandomNode{8}.first_node(job, num_nodes) == node ? 1 : 0;
    }
    for (const int count : drawn)
        CHECK(std::abs(count - 1000) < 150); // five standard deviations
    CHECK(std::abs(as_with_another_seed - 1000) < 150);
}

} // namespace bursar::random_node_test
