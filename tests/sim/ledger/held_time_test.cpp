#include <cstdint>

#include <doctest/doctest.h>

#include "sim/ledger/held_time.hpp"

#include "tests/properties.hpp"

namespace bursar::test::held_time_test {

TEST_CASE("a share of a stretch costs its share of the time, and the rest the remainder") {
    const HeldTime whole{10, Money{100}};
    CHECK(share_of(whole, 0) == HeldTime{});
    CHECK(share_of(whole, 3) == HeldTime{3, Money{30}});
    CHECK(share_of(whole, 10) == whole);
    CHECK(share_of({3, Money{10}}, 1) == HeldTime{1, Money{3}}); // 3.33
    CHECK(share_of({3, Money{10}}, 2) == HeldTime{2, Money{7}}); // 6.67
    CHECK(share_of({2, Money{5}}, 1) == HeldTime{1, Money{3}});  // equal remainders: the share
    CHECK(whole - share_of(whole, 3) == HeldTime{7, Money{70}});
}

TEST_CASE("stretches add up, meter by meter") {
    HeldTime sum{10, Money{100}, GridTime{7}};
    sum += {3, Money{20}, GridTime{5}};
    CHECK(sum == HeldTime{13, Money{120}, GridTime{12}});
    CHECK(sum - HeldTime{3, Money{20}, GridTime{5}} == HeldTime{10, Money{100}, GridTime{7}});
    CHECK(-sum == HeldTime{-13, Money{-120}, GridTime{-12}});
}

TEST_CASE("the longest stretch at the highest rate fits") {
    const std::int64_t ms = (std::int64_t{1} << 41) - 1;
    const HeldTime whole{ms, Money{(int128{1} << 50) * ms}};
    CHECK(share_of(whole, ms - 1) == HeldTime{ms - 1, Money{(int128{1} << 50) * (ms - 1)}});
}

TEST_CASE("a share is within half a unit of its part of the cost") {
    CHECK(check_property([] {
        const HeldTime whole{drawn::in_range<std::int64_t>(1, 1000),
                             Money{drawn::in_range<std::int64_t>(0, 1'000'000)}};
        const std::int64_t part_ms = drawn::in_range<std::int64_t>(0, whole.ms + 1);
        const HeldTime part = share_of(whole, part_ms);
        const int128 off = 2 * (part.cost.count() * whole.ms - whole.cost.count() * part_ms);
        RC_ASSERT(part.ms == part_ms);
        RC_ASSERT(-whole.ms <= off && off <= whole.ms);
        RC_ASSERT(part.cost >= Money{} && part.cost <= whole.cost);
    }));
}

} // namespace bursar::test::held_time_test
