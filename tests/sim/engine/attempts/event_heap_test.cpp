#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/engine/attempts/event_heap.hpp"

#include "tests/sim/arena_block.hpp"

namespace bursar::event_heap_test {

TEST_CASE("an event key gives back its time and slot") {
    const EventKey key{horizon_ms - 1, EventKind::release, EventKey::max_slots - 1};
    CHECK(key.time_ms() == horizon_ms - 1);
    CHECK(key.slot() == EventKey::max_slots - 1);
    CHECK(EventKey{1, EventKind::release, 7} < EventKey{2, EventKind::release, 0});
}

TEST_CASE("the heap gives events in order of time under any mix of pushes and pops") {
    CHECK(rc::check([](const std::vector<std::uint16_t>& times) {
        test::ArenaBlock<EventHeap> block{[&](ArenaCarver& carver) {
            return EventHeap{carver, static_cast<std::uint32_t>(times.size())};
        }};
        EventHeap& heap = block.content;
        std::vector<std::int64_t> expected;
        std::uint32_t slot = 0;
        for (const std::uint16_t time : times) {
            heap.push({time, EventKind::release, slot++});
            expected.push_back(time);
            if (time % 3 == 0) {
                const auto least = std::min_element(expected.begin(), expected.end());
                RC_ASSERT(heap.top().time_ms() == *least);
                expected.erase(least);
                heap.pop();
            }
        }
        std::sort(expected.begin(), expected.end());
        for (const std::int64_t time : expected) {
            RC_ASSERT(heap.top().time_ms() == time);
            heap.pop();
        }
        RC_ASSERT(heap.empty());
    }));
}

TEST_CASE("events that are called off never happen, and the others keep their order") {
    CHECK(rc::check([](const std::vector<std::uint16_t>& times) {
        const auto num = static_cast<std::uint32_t>(times.size());
        test::ArenaBlock<ErasableEvents> block{[&](ArenaCarver& carver) {
            return ErasableEvents{carver, num};
        }};
        ErasableEvents& heap = block.content;
        std::vector<std::int64_t> expected;
        for (std::uint32_t slot = 0; slot < num; ++slot)
            heap.push({times[slot], EventKind::release, slot});
        for (std::uint32_t slot = 0; slot < num; ++slot) {
            if (times[slot] % 3 == 0)
                heap.erase(slot);
            else
                expected.push_back(times[slot]);
        }
        std::sort(expected.begin(), expected.end());
        for (const std::int64_t time : expected) {
            RC_ASSERT(heap.top().time_ms() == time);
            heap.pop();
        }
        RC_ASSERT(heap.empty());
    }));
}

} // namespace bursar::event_heap_test
