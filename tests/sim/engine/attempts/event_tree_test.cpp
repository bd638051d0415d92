#include <algorithm>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/attempts/event_tree.hpp"

#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::event_tree_test {
namespace {

/// An empty tree, in memory with data of another run.
test::ArenaBlock<EventTree> tree_of(std::uint32_t num_slots) {
    test::ArenaBlock<EventTree> block{[&](ArenaCarver& carver) {
        return EventTree{carver, num_slots};
    }};
    std::memset(block.memory.data(), 0x5a, block.memory.size() * sizeof(block.memory[0]));
    block.content.clear();
    return block;
}

EventKey draw_event(std::uint32_t slot) {
    const auto time_ms = drawn::in_range<std::int64_t>(0, 50);
    const bool is_last = drawn::in_range(0, 20) == 0;
    const EventKind kind = drawn::one_of(EventKind::release, EventKind::standing);
    return {is_last ? horizon_ms - 1 : time_ms, kind, slot};
}

} // namespace

TEST_CASE("an event key gives back its time and slot") {
    const EventKey key{horizon_ms - 1, EventKind::release, EventKey::max_slots - 1};
    CHECK(key.time_ms() == horizon_ms - 1);
    CHECK(key.slot() == EventKey::max_slots - 1);
    CHECK(EventKey{1, EventKind::release, 7} < EventKey{2, EventKind::release, 0});
}

TEST_CASE("EventKey::none() comes after the last possible event") {
    const EventKey last{horizon_ms - 1, EventKind::standing, EventKey::max_slots - 1};
    CHECK(last < EventKey::none());
    CHECK_FALSE(last.is_none());
    CHECK(EventKey::none().is_none());
}

TEST_CASE("a tree of events agrees with a sorted list under any mix of changes") {
    CHECK(check_property([] {
        const auto num_slots = drawn::in_range(1U, 300U);
        test::ArenaBlock<EventTree> block = tree_of(num_slots);
        EventTree& tree = block.content;
        std::map<std::uint32_t, EventKey> expected; // by slot
        const int changes = drawn::in_range(1, 300);
        for (int change = 0; change < changes; ++change) {
            const auto kind = drawn::in_range(0, 40);
            const auto slot = drawn::in_range(0U, num_slots);
            RC_ASSERT(tree.has(slot) == expected.contains(slot));
            if (kind == 0) {
                tree.clear();
                expected.clear();
            } else if (kind < 10 && !expected.empty()) {
                expected.erase(tree.top().slot());
                tree.pop();
            } else if (expected.contains(slot)) {
                expected.erase(slot);
                tree.erase(slot);
            } else {
                const EventKey event = draw_event(slot);
                expected.emplace(slot, event);
                tree.push(event);
            }
            RC_ASSERT(tree.size() == expected.size());
            RC_ASSERT(tree.empty() == expected.empty());
            std::vector<std::uint64_t> listed;
            tree.for_each([&](EventKey event) { listed.push_back(event.bits()); });
            std::vector<std::uint64_t> wanted;
            for (const auto& [at, event] : expected)
                wanted.push_back(event.bits());
            RC_ASSERT(listed == wanted);
            if (!expected.empty())
                RC_ASSERT(tree.top().bits() == *std::ranges::min_element(wanted));
        }
    }));
}

TEST_CASE("cancelled events do not come back when all others have been removed") {
    test::ArenaBlock<EventTree> block = tree_of(4);
    EventTree& tree = block.content;
    tree.push({1, EventKind::release, 0});
    tree.push({2, EventKind::release, 2});
    tree.erase(2);
    tree.pop();
    CHECK(tree.empty());
    tree.push({3, EventKind::release, 1});
    CHECK(tree.top().slot() == 1);
}

TEST_CASE("for_each may cancel the event of each slot and push another") {
    constexpr std::uint32_t num_slots = 37;
    test::ArenaBlock<EventTree> block = tree_of(num_slots);
    EventTree& tree = block.content;
    for (std::uint32_t slot = 0; slot < num_slots; ++slot)
        tree.push({1000 + slot, EventKind::release, slot});
    std::uint32_t listed = 0;
    tree.for_each([&](EventKey event) {
        ++listed;
        tree.erase(event.slot());
        tree.push({500 - event.slot(), EventKind::standing, event.slot()});
    });
    CHECK(listed == num_slots);
    for (std::uint32_t slot = num_slots; slot-- > 0;) {
        CHECK(tree.top().slot() == slot);
        tree.pop();
    }
    CHECK(tree.empty());
}

TEST_CASE("the last slot of every size of tree is found") {
    for (const std::uint32_t num_slots : {1U, 2U, 3U, 64U, 65U, 4097U, EventKey::max_slots}) {
        CAPTURE(num_slots);
        test::ArenaBlock<EventTree> block = tree_of(num_slots);
        block.content.push({7, EventKind::release, num_slots - 1});
        CHECK(block.content.top().slot() == num_slots - 1);
        if (num_slots > 1) {
            block.content.push({6, EventKind::release, 0});
            CHECK(block.content.top().slot() == 0);
        }
    }
}

} // namespace bursar::event_tree_test
