#include <set>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/engine/bit_tree.hpp"

namespace bursar {
namespace {

/// A bit tree with the memory it lies in.
struct OwnedTree {
    explicit OwnedTree(std::uint32_t bound) {
        ArenaCarver measure{nullptr};
        BitTree{measure, bound};
        memory.resize(measure.used() / sizeof(std::uint64_t) + 1);
        ArenaCarver carver{reinterpret_cast<std::byte*>(memory.data())};
        tree = BitTree{carver, bound};
        tree.clear();
    }
    std::vector<std::uint64_t> memory;
    BitTree tree;
};

} // namespace

TEST_CASE("a bit tree answers as an ordered set does") {
    CHECK(rc::check([] {
        const auto bound = *rc::gen::inRange(1U, 300'000U);
        OwnedTree owned{bound};
        std::set<std::uint32_t> expected;
        const auto numbers =
            *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, bound));
        for (const std::uint32_t number : numbers) {
            if (expected.contains(number)) {
                expected.erase(number);
                owned.tree.erase(number);
            } else {
                expected.insert(number);
                owned.tree.insert(number);
            }
            const std::uint32_t from = *rc::gen::inRange(0U, bound);
            const auto found = expected.lower_bound(from);
            RC_ASSERT(owned.tree.first_at_or_after(from) ==
                      (found == expected.end() ? BitTree::none : *found));
        }
    }));
}

TEST_CASE("the last number of the largest word layouts is found") {
    for (const std::uint32_t bound : {1U, 64U, 65U, 4096U, 4097U, 262'144U, 262'145U}) {
        CAPTURE(bound);
        OwnedTree owned{bound};
        CHECK(owned.tree.first_at_or_after(0) == BitTree::none);
        owned.tree.insert(bound - 1);
        CHECK(owned.tree.first_at_or_after(0) == bound - 1);
        CHECK(owned.tree.first_at_or_after(bound) == BitTree::none);
    }
}

} // namespace bursar
