#include <algorithm>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/preemption/victim_order.hpp"

#include "tests/properties.hpp"
#include "tests/sim/arena_block.hpp"

namespace bursar::victim_order_test {
namespace {

constexpr std::uint32_t capacity = 40;

bool gives_way_first(const Victim& a, const Victim& b) {
    return b.rank < a.rank;
}

/// The order, and the same as a sorted list.
struct Pair {
    test::ArenaBlock<VictimOrder> block{[](ArenaCarver& carver) {
        const PlaceOfSlot places{carver, capacity};
        bool* in_front = carver.take<bool>(capacity);
        return VictimOrder{carver, capacity, places, in_front};
    }};
    VictimOrder& order = block.content;
    std::vector<Victim> expected;
    std::vector<bool> is_used = std::vector<bool>(capacity, false);

    Pair() { order.clear(); }

    void insert() {
        const AttemptId slot{drawn::in_range(0U, capacity)};
        if (is_used[slot])
            return;
        is_used[slot] = true;
        Victim victim{{drawn::in_range<std::uint64_t>(0, 9), slot}, slot};
        victim.slots = drawn::in_range(1, 9);
        order.insert(victim);
        expected.insert(std::ranges::upper_bound(expected, victim, gives_way_first), victim);
    }
    void erase() {
        if (expected.empty())
            return;
        const auto at = expected.begin() + drawn::in_range<std::ptrdiff_t>(0, std::ssize(expected));
        order.erase(at->attempt);
        is_used[at->attempt] = false;
        expected.erase(at);
    }
    void move() {
        if (expected.empty())
            return;
        const auto at = expected.begin() + drawn::in_range<std::ptrdiff_t>(0, std::ssize(expected));
        Victim victim = *at;
        victim.rank.key = drawn::in_range<std::uint64_t>(0, 9);
        order.move(victim);
        expected.erase(at);
        expected.insert(std::ranges::upper_bound(expected, victim, gives_way_first), victim);
    }
    void look(std::uint32_t num) {
        while (order.num_front() < num && order.has_more())
            order.bring();
        for (std::uint32_t i = 0; i < order.num_front(); ++i) {
            RC_ASSERT(order[i].attempt == expected[i].attempt);
            RC_ASSERT(order[i].num_slots() == expected[i].slots);
        }
        RC_ASSERT(order.has_more() == (order.num_front() < expected.size()));
        if (order.has_more())
            RC_ASSERT(order.next().attempt == expected[order.num_front()].attempt);
    }
    /// Every other one of the first few is preempted.
    void take_leavers() {
        const std::uint32_t num = std::min(order.num_front(), 4U);
        std::vector<AttemptId> gone;
        for (std::uint32_t i = 0; i < num; ++i)
            order.decide(i, i % 2 == 0);
        order.take_leavers(num, [&](const Victim& victim) { gone.push_back(victim.attempt); });
        for (std::uint32_t i = 0; i < num; i += 2) {
            RC_ASSERT(gone[i / 2] == expected[i].attempt);
            is_used[expected[i].attempt] = false;
        }
        std::erase_if(expected, [&](const Victim& victim) { return !is_used[victim.attempt]; });
    }
};

} // namespace

TEST_CASE("victims are in the order of preemption after any inserts and erases") {
    CHECK(check_property([] {
        Pair pair;
        for (int step = drawn::in_range(0, 200); step > 0; --step) {
            switch (drawn::in_range(0, 7)) {
            case 0:
                pair.erase();
                break;
            case 1:
                pair.look(drawn::in_range(0U, 12U));
                break;
            case 2:
                pair.take_leavers();
                break;
            case 3:
                pair.order.trim(drawn::in_range(0U, 6U));
                break;
            case 4:
                pair.move();
                break;
            default:
                pair.insert();
            }
        }
        pair.look(capacity);
        RC_ASSERT(pair.order.num_front() == pair.expected.size());
    }));
}

} // namespace bursar::victim_order_test
