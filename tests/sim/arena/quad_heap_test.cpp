#include <algorithm>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/arena/quad_heap.hpp"
#include "sim/engine/attempts/event_key.hpp"

#include "tests/sim/arena_block.hpp"

namespace bursar::quad_heap_test {

namespace {

using EventHeap = QuadHeap<EventKey, NoPlaces>;
using ErasableEvents = QuadHeap<EventKey, PlaceOfSlot>;

} // namespace

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

TEST_CASE("erased events never come out, and the others keep their order") {
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

TEST_CASE("renew_in_order visits events in the old order, and they come out in the new one") {
    CHECK(rc::check([](const std::vector<std::uint16_t>& times) {
        const auto num = static_cast<std::uint32_t>(times.size());
        test::ArenaBlock<ErasableEvents> block{[&](ArenaCarver& carver) {
            return ErasableEvents{carver, num};
        }};
        ErasableEvents& heap = block.content;
        for (std::uint32_t slot = 0; slot < num; ++slot)
            heap.push({times[slot], EventKind::release, slot});
        std::vector<std::uint64_t> asked;
        heap.renew_in_order([&](EventKey& event) {
            asked.push_back(event.bits());
            event = {event.time_ms() * 31 % 97, EventKind::release, event.slot()};
        });
        RC_ASSERT(asked.size() == num);
        RC_ASSERT(std::ranges::is_sorted(asked));
        if (num > 0)
            heap.erase(num / 2); // it knows where each is
        std::uint64_t before = 0;
        for (; !heap.empty(); heap.pop()) {
            RC_ASSERT(heap.top().bits() >= before);
            before = heap.top().bits();
        }
    }));
}

} // namespace bursar::quad_heap_test
