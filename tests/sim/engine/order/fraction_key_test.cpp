#include <doctest/doctest.h>

#include "sim/engine/order/fraction_key.hpp"

#include "tests/properties.hpp"

namespace bursar::fraction_key_test {

TEST_CASE("bit_length counts the bits up to the leading one") {
    CHECK(bit_length(1) == 1);
    CHECK(bit_length(255) == 8);
    CHECK(bit_length(256) == 9);
    CHECK(bit_length(uint128{1} << 127U) == 128);
}

TEST_CASE("equal fractions have equal keys, and the larger fraction the larger key") {
    static_assert(fraction_key(6, 9) == fraction_key(12, 18));
    static_assert(fraction_key(6, 9) < fraction_key(7, 9));
    static_assert(fraction_key(1, 3) < fraction_key(1, 2));
    CHECK(fraction_key(0, 5) == 0);
    CHECK(fraction_key(1, (uint128{1} << 76U) - 1) > 0);
    CHECK(fraction_key(~std::uint64_t{0}, 1) > fraction_key(~std::uint64_t{0}, 2));
    CHECK(fraction_key(~std::uint64_t{0}, 1) < std::uint64_t{1} << 60U);
}

TEST_CASE("keys compare like cross products, if those stay below 2^51") {
    CHECK(check_property([] {
        const auto part = [] { return drawn::in_range<std::uint64_t>(0, 1U << 25U); };
        const auto whole = [] { return drawn::in_range<std::uint64_t>(1, 1U << 26U); };
        const std::uint64_t a = part();
        const std::uint64_t b = whole();
        const std::uint64_t c = part();
        const std::uint64_t d = whole();
        RC_ASSERT((fraction_key(a, b) < fraction_key(c, d)) == (a * d < c * b));
        RC_ASSERT((fraction_key(a, b) == fraction_key(c, d)) == (a * d == c * b));
        const std::uint64_t times = drawn::in_range<std::uint64_t>(1, 1U << 20U);
        RC_ASSERT(fraction_key(a * times, b * times) == fraction_key(a, b));
    }));
}

TEST_CASE("large fractions never compare the wrong way round") {
    CHECK(check_property([] {
        const auto part = [] { return drawn::in_range<std::uint64_t>(1, std::uint64_t{1} << 60U); };
        const auto whole = [] {
            return drawn::in_range<std::uint64_t>(1, std::uint64_t{1} << 62U);
        };
        const std::uint64_t a = part();
        const std::uint64_t b = whole();
        const std::uint64_t c = a + drawn::in_range<std::uint64_t>(0, 3);
        const std::uint64_t d = b + drawn::in_range<std::uint64_t>(0, 3);
        const uint128 left = uint128{a} * d;
        const uint128 right = uint128{c} * b;
        if (left < right)
            RC_ASSERT(fraction_key(a, b) <= fraction_key(c, d));
        if (left > right)
            RC_ASSERT(fraction_key(a, b) >= fraction_key(c, d));
    }));
}

} // namespace bursar::fraction_key_test
