#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include "sim/arena/min_tree.hpp"

#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::min_tree_test {

TEST_CASE("a tree of minima agrees with a plain list") {
    CHECK(check_property([] {
        const auto places = drawn::in_range(1U, 3'000U);
        test::ArenaBlock<MinTree> block{[&](ArenaCarver& carver) {
            return MinTree{carver, places};
        }};
        MinTree& tree = block.content;
        tree.clear();
        std::vector<std::int64_t> list(places, MinTree::absent);
        const int changes = drawn::in_range(1, 200);
        for (int change = 0; change < changes; ++change) {
            const auto place = drawn::in_range(0U, places);
            list[place] =
                drawn::boolean() ? drawn::in_range<std::int64_t>(-5, 50) : MinTree::absent;
            tree.set(place, list[place]);
            const auto from = drawn::in_range(0U, places);
            const auto most = drawn::in_range<std::int64_t>(-6, 51);
            std::uint32_t expected = from;
            while (expected < places && list[expected] > most)
                ++expected;
            RC_ASSERT(tree.first_at_most(from, most) ==
                      (expected == places ? MinTree::none : expected));
            RC_ASSERT(tree.least() == *std::min_element(list.begin(), list.end()));
        }
    }));
}

TEST_CASE("the last place of the largest layouts is found") {
    for (const std::uint32_t places : {1U, 8U, 9U, 64U, 65U, 512U, 513U, 32'768U, 32'769U}) {
        CAPTURE(places);
        test::ArenaBlock<MinTree> block{[&](ArenaCarver& carver) {
            return MinTree{carver, places};
        }};
        MinTree& tree = block.content;
        tree.clear();
        CHECK(tree.first_at_most(0, MinTree::absent - 1) == MinTree::none);
        tree.set(places - 1, 7);
        CHECK(tree.first_at_most(0, 6) == MinTree::none);
        CHECK(tree.first_at_most(0, 7) == places - 1);
        CHECK(tree.first_at_most(places, 7) == MinTree::none);
    }
}

} // namespace bursar::min_tree_test
