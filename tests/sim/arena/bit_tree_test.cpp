#include <set>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/arena/bit_tree.hpp"

#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::bit_tree_test {
namespace {

/// An empty bit tree with its memory.
test::ArenaBlock<BitTree> tree_below(std::uint32_t bound) {
    test::ArenaBlock<BitTree> block{[&](ArenaCarver& carver) { return BitTree{carver, bound}; }};
    block.content.clear();
    return block;
}

} // namespace

TEST_CASE("a bit tree agrees with an ordered set") {
    CHECK(check_property([] {
        const auto bound = drawn::in_range(1U, 300'000U);
        test::ArenaBlock<BitTree> block = tree_below(bound);
        BitTree& tree = block.content;
        std::set<std::uint32_t> expected;
        const auto numbers =
            *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, bound));
        for (const std::uint32_t number : numbers) {
            if (expected.contains(number)) {
                expected.erase(number);
                tree.erase(number);
            } else {
                expected.insert(number);
                tree.insert(number);
            }
            const std::uint32_t from = drawn::in_range(0U, bound);
            const auto found = expected.lower_bound(from);
            RC_ASSERT(tree.first_at_or_after(from) ==
                      (found == expected.end() ? BitTree::none : *found));
        }
    }));
}

TEST_CASE("the last number of the largest word layouts is found") {
    for (const std::uint32_t bound : {1U, 64U, 65U, 4096U, 4097U, 262'144U, 262'145U}) {
        CAPTURE(bound);
        test::ArenaBlock<BitTree> block = tree_below(bound);
        BitTree& tree = block.content;
        CHECK(tree.first_at_or_after(0) == BitTree::none);
        tree.insert(bound - 1);
        CHECK(tree.first_at_or_after(0) == bound - 1);
        CHECK(tree.first_at_or_after(bound) == BitTree::none);
    }
}

} // namespace bursar::bit_tree_test
