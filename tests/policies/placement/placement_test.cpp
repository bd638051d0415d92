#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "policies/placement/consolidated.hpp"
#include "policies/placement/first_fit.hpp"

namespace bursar {
namespace {

/// Nodes of 8 GPUs with so many free, in node order; the memory lives with them.
struct Nodes {
    explicit Nodes(const std::vector<std::uint32_t>& free_gpus) {
        const auto count = static_cast<std::uint32_t>(free_gpus.size());
        ArenaCarver measure{nullptr};
        FreeNodes{measure, count, 8};
        memory.resize(measure.used() / sizeof(std::uint64_t) + 1);
        ArenaCarver carver{reinterpret_cast<std::byte*>(memory.data())};
        view = FreeNodes{carver, count, 8};
        view.clear();
        for (std::uint32_t node = 0; node < count; ++node)
            view.set_free(node, free_gpus[node]);
    }
    std::vector<std::uint64_t> memory;
    FreeNodes view;
};

} // namespace

TEST_CASE("first-fit takes the lowest-numbered node with room") {
    const Nodes nodes{{1, 5, 8, 2, 5}};
    CHECK(FirstFit{}.rest_node(nodes.view, 1) == 0);
    CHECK(FirstFit{}.rest_node(nodes.view, 2) == 1);
    CHECK(FirstFit{}.rest_node(nodes.view, 6) == 2);
}

TEST_CASE("consolidated takes the fullest node with room, ties to the lowest number") {
    const Nodes nodes{{8, 5, 3, 2, 5}};
    CHECK(Consolidated{}.rest_node(nodes.view, 1) == 3);
    CHECK(Consolidated{}.rest_node(nodes.view, 3) == 2);
    CHECK(Consolidated{}.rest_node(nodes.view, 4) == 1);
    CHECK(Consolidated{}.rest_node(nodes.view, 6) == 0);
}

} // namespace bursar
