#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/engine/queues/shape_contests.hpp"

#include "tests/sim/arena_block.hpp"

namespace bursar::shape_contests_test {

TEST_CASE("first_of is the least entry of the shape after any changes, for any number of groups") {
    using Entry = ShapeContests::Entry;
    CHECK(rc::check([] {
        const int num_shapes = *rc::gen::inRange(1, 4);
        std::vector<std::uint32_t> begin{0};
        for (int shape = 0; shape < num_shapes; ++shape)
            begin.push_back(begin.back() + *rc::gen::inRange(1U, 20U));
        test::ArenaBlock<ShapeContests> block{[&](ArenaCarver& carver) {
            return ShapeContests{carver, begin.back(), begin.data()};
        }};
        block.content.clear();
        std::vector<Entry> entries(begin.back());
        for (int change = 0; change < 60; ++change) {
            const ShapeId shape{*rc::gen::inRange(0, num_shapes)};
            const auto index = *rc::gen::inRange(0U, begin[shape + 1] - begin[shape]);
            Entry entry;
            if (*rc::gen::inRange(0, 3) > 0)
                entry = {*rc::gen::inRange<std::uint64_t>(0, 5), JobId{change}, shape};
            entries[begin[shape] + index] = entry;
            block.content.set(shape, index, entry);
            for (ShapeId s{0}; s + 1 < begin.size(); ++s) {
                const auto least =
                    std::min_element(entries.begin() + begin[s], entries.begin() + begin[s + 1]);
                RC_ASSERT(block.content.first_of(s).rank == least->rank);
                RC_ASSERT(block.content.first_of(s).job == least->job);
            }
        }
    }));
}

} // namespace bursar::shape_contests_test
