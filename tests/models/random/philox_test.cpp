#include <array>
#include <limits>
#include <set>

#include <doctest/doctest.h>

#include "models/random/philox.hpp"

#include "tests/properties.hpp"

namespace bursar::philox_test {
namespace {

// Random123, tests/kat_vectors, "philox4x32 10".
static_assert(philox4x32_10({{0, 0, 0, 0}}, {{0, 0}}) ==
              PhiloxBlock{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
static_assert(philox4x32_10({{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}},
                            {{0xffffffff, 0xffffffff}}) ==
              PhiloxBlock{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
static_assert(philox4x32_10({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                            {{0xa4093822, 0x299f31d0}}) ==
              PhiloxBlock{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});

static_assert(uniform01(0) == 0x1.0p-53);
static_assert(uniform01(std::numeric_limits<std::uint64_t>::max()) == 1.0 - 0x1.0p-53);

} // namespace

TEST_CASE("seed, stream, entity and number each change the draw") {
    std::set<std::uint64_t> seen;
    for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 32})
        for (const Stream stream : {Stream::arrivals, Stream::tenants})
            for (const std::uint64_t entity : {0ULL, 1ULL, 1ULL << 32})
                for (const std::uint32_t n : {0U, 1U})
                    seen.insert(RandomStream{seed, stream}.draw(entity, n));
    CHECK(seen.size() == 3 * 2 * 3 * 2);
}

TEST_CASE("uniform draws fill (0, 1) evenly") {
    const RandomStream stream{7, Stream::run_times};
    constexpr int n = 100'000;
    double sum = 0;
    std::array<int, 10> bins{};
    for (std::uint64_t entity = 0; entity < n; ++entity) {
        const double u = stream.uniform(entity, 0);
        REQUIRE(u > 0);
        REQUIRE(u < 1);
        sum += u;
        ++bins[static_cast<std::size_t>(u * 10)];
    }
    // Standard deviations: 1 / sqrt(12 n) = 0.0009 and sqrt(0.09 n) = 95; 4 of them.
    CHECK(sum / n == doctest::Approx(0.5).epsilon(0.0074));
    for (const int count : bins)
        CHECK(std::abs(count - n / 10) < 380);
}

TEST_CASE("whole numbers below a bound") {
    const RandomStream stream{3, Stream::gang_sizes};
    SUBCASE("every value is as likely as the others") {
        std::array<int, 6> faces{};
        constexpr int n = 60'000;
        for (std::uint64_t entity = 0; entity < n; ++entity)
            ++faces[stream.below(6, entity, 0)];
        for (const int count : faces)
            CHECK(std::abs(count - n / 6) < 366); // 4 x sqrt(n x 5/36)
    }
    SUBCASE("a bound that rejects almost half of all draws is still fair") {
        // 2^63 + 1 leaves 2^63 - 1 values of 64 bits over; without rejection the lower half of the
        // range would come twice as often as the upper.
        const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
        int upper = 0;
        constexpr int n = 10'000;
        for (std::uint64_t entity = 0; entity < n; ++entity)
            upper += stream.below(bound, entity, 0) >= bound / 2 ? 1 : 0;
        CHECK(std::abs(upper - n / 2) < 200); // 4 x sqrt(n / 4)
    }
    CHECK(check_property("are below it", [&] {
        const auto bound = drawn::in_range<std::uint64_t>(1, std::uint64_t{1} << 63);
        RC_ASSERT(stream.below(bound, drawn::bits(), 5) < bound);
    }));
    CHECK(stream.below(1, 9, 9) == 0);
}

} // namespace bursar::philox_test
