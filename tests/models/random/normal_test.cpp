#include <cmath>

#include <doctest/doctest.h>

#include "models/random/normal.hpp"

#include "tests/properties.hpp"

namespace bursar::normal_test {
namespace {

/// The difference of two doubles, relative to the second.
double off(double value, double truth) {
    return std::abs(value - truth) / std::abs(truth);
}

constexpr double four_ulp = 4 * 0x1.0p-52;

} // namespace

TEST_CASE("the portable logarithm agrees with the library's") {
    CHECK(portable_log(1) == 0);
    for (double x = 0x1.0p-1022; x < 0x1.0p1022; x *= 1.37) {
        CAPTURE(x);
        REQUIRE(off(portable_log(x), std::log(x)) <= four_ulp);
    }
    for (double x = 0.7; x < 1.5; x += 0.00137) { // around 1, where the result is near zero
        CAPTURE(x);
        REQUIRE(off(portable_log(x), std::log(x)) <= four_ulp);
    }
}

TEST_CASE("the portable exponential agrees with the library's") {
    CHECK(portable_exp(0) == 1);
    for (double x = -700; x <= 700; x += 0.0173) {
        CAPTURE(x);
        REQUIRE(off(portable_exp(x), std::exp(x)) <= four_ulp);
    }
}

TEST_CASE("normal quantiles") {
    SUBCASE("published values (Wichura 1988, check values of AS 241)") {
        CHECK(off(normal_quantile(0.25), -0.674489750196081744) < 1e-15);
        CHECK(off(normal_quantile(0.001), -3.090232306167813542) < 1e-15);
        CHECK(off(normal_quantile(1e-20), -9.262340089798407) < 2e-15);
        CHECK(normal_quantile(0.5) == 0);
    }
    SUBCASE("invert the distribution function") {
        CHECK(check_property([] {
            const double u = drawn::in_range(1, 1'000'000) * 1e-6;
            const double back = 0.5 * std::erfc(-normal_quantile(u) / std::sqrt(2.0));
            RC_ASSERT(off(back, u) < 1e-13);
        }));
    }
    SUBCASE("are symmetric") {
        for (double u = 0x1.0p-40; u < 0.5; u *= 2)
            CHECK(normal_quantile(u) == -normal_quantile(1 - u));
    }
}

} // namespace bursar::normal_test
