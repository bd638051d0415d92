#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/backfill/release_calendar.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::release_calendar_test {
namespace {

struct Held {
    std::int64_t release_ms{};
    std::int64_t slots{};
};
using Plain = std::map<std::uint32_t, Held>; // by slot

/// The first multiple of a quantum from then on, and no earlier than now.
std::int64_t usable_from(std::int64_t at_ms, std::int64_t now_ms, std::int64_t quantum_ms) {
    std::int64_t from = std::max(at_ms, now_ms);
    while (from % quantum_ms != 0)
        ++from;
    return from;
}

ReleaseCalendar::Room
plain_room(const Plain& plain, std::int64_t wanted, std::int64_t now_ms, std::int64_t quantum_ms) {
    std::map<std::int64_t, std::int64_t> ends;
    for (const auto& [slot, held] : plain)
        ends[usable_from(held.release_ms, now_ms, quantum_ms)] += held.slots;
    std::int64_t sum = 0;
    for (const auto& [time_ms, slots] : ends) {
        sum += slots;
        if (sum >= wanted)
            return {time_ms, sum};
    }
    return {ReleaseCalendar::no_time, sum};
}

void check_order(ReleaseCalendar& calendar, PoolId pool, const Plain& plain) {
    std::vector<std::pair<std::int64_t, std::uint32_t>> expected;
    for (const auto& [slot, held] : plain)
        expected.emplace_back(held.release_ms, slot);
    std::sort(expected.begin(), expected.end());
    const auto wanted = drawn::in_range<std::size_t>(0, expected.size() + 1);
    std::size_t num = 0;
    calendar.for_each_release(pool, [&](std::int64_t release_ms, AttemptId slot) {
        RC_ASSERT(num < expected.size());
        RC_ASSERT((expected[num] == std::pair{release_ms, static_cast<std::uint32_t>(slot)}));
        return ++num < wanted;
    });
    RC_ASSERT(num == std::min(std::max<std::size_t>(wanted, 1), expected.size()));
}

} // namespace

TEST_CASE("a calendar of releases agrees with a sorted list") {
    CHECK(check_property([] {
        const auto max_live = drawn::in_range<std::uint32_t>(1, 1'500);
        // Few instants, with many releases at each; or mostly different ones; or spans that double.
        const auto spread = drawn::one_of<std::uint32_t>(30, 1'000'000, 0);
        const Plan plan = test::plan_of({{0, 1, 1}}, {test::pool_of(1, 1), test::pool_of(1, 1)});
        test::ArenaBlock<ReleaseCalendar> block{[&](ArenaCarver& carver) {
            return ReleaseCalendar{carver, RunPlan{view_of(plan)}, max_live};
        }};
        ReleaseCalendar& calendar = block.content;
        calendar.clear();
        Plain plain[2];
        std::uint32_t random = static_cast<std::uint32_t>(drawn::bits());
        const auto below = [&](std::uint32_t n) {
            random = random * 1'664'525U + 1'013'904'223U;
            return (random >> 8U) % n;
        };
        std::int64_t now_ms = 1'000;
        const auto quantum = drawn::one_of<std::int64_t>(1, 1, 7, 50);
        const auto some_end = [&] {
            return now_ms - 10 + (spread == 0 ? std::int64_t{1} << below(38) : below(spread));
        };
        const int changes = drawn::in_range(1, 5'000);
        for (int change = 0; change < changes; ++change) {
            const std::uint32_t slot = below(max_live);
            const PoolId pool{static_cast<std::uint32_t>(slot % 2)};
            Plain& own = plain[pool];
            const auto at = own.find(slot);
            if (at == own.end()) {
                own[slot] = {some_end(), below(9)};
                calendar.add(pool, AttemptId{slot}, own[slot].release_ms, own[slot].slots);
            } else if (below(4) == 0) {
                const std::int64_t before = std::exchange(at->second.release_ms, some_end());
                RC_ASSERT(calendar.change(pool, AttemptId{slot}, at->second.release_ms) == before);
            } else {
                RC_ASSERT(calendar.remove(pool, AttemptId{slot}) == at->second.release_ms);
                own.erase(at);
            }
            now_ms += below(3);
            if (below(20) != 0)
                continue;
            std::int64_t all = 0;
            for (const auto& [of, held] : own)
                all += held.slots;
            const std::int64_t wanted = 1 + below(static_cast<std::uint32_t>(all) + 2);
            const ReleaseCalendar::Room room = calendar.room_for(
                pool, wanted, [&](std::int64_t end) { return usable_from(end, now_ms, quantum); });
            const ReleaseCalendar::Room expected = plain_room(own, wanted, now_ms, quantum);
            RC_ASSERT(room.time_ms == expected.time_ms);
            RC_ASSERT(room.slots == expected.slots);
            if (below(10) == 0)
                check_order(calendar, pool, own);
        }
    }));
}

} // namespace bursar::release_calendar_test
