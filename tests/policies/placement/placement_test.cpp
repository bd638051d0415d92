#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "policies/placement/consolidated.hpp"
#include "policies/placement/first_fit.hpp"

#include "tests/sim/arena_block.hpp"

namespace bursar::placement_test {
namespace {

/// Nodes of 8 GPUs with these numbers of free GPUs, in node order.
test::ArenaBlock<FreeNodes> nodes_with(const std::vector<std::uint32_t>& free_gpus) {
    const auto count = static_cast<std::uint32_t>(free_gpus.size());
    test::ArenaBlock<FreeNodes> block{[&](ArenaCarver& carver) {
        return FreeNodes{carver, count, 8};
    }};
    block.content.clear();
    for (std::uint32_t node = 0; node < count; ++node)
        block.content.set_free(node, free_gpus[node]);
    return block;
}

} // namespace

TEST_CASE("first-fit takes the lowest-numbered node with room") {
    const auto nodes = nodes_with({1, 5, 8, 2, 5});
    CHECK(FirstFit{}.rest_node(nodes.content, 1) == 0);
    CHECK(FirstFit{}.rest_node(nodes.content, 2) == 1);
    CHECK(FirstFit{}.rest_node(nodes.content, 6) == 2);
}

TEST_CASE("consolidated takes the fullest node with room, ties to the lowest number") {
    const auto nodes = nodes_with({8, 5, 3, 2, 5});
    CHECK(Consolidated{}.rest_node(nodes.content, 1) == 3);
    CHECK(Consolidated{}.rest_node(nodes.content, 3) == 2);
    CHECK(Consolidated{}.rest_node(nodes.content, 4) == 1);
    CHECK(Consolidated{}.rest_node(nodes.content, 6) == 0);
}

} // namespace bursar::placement_test
