#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/errors/model_error.hpp"
#include "models/network/measured_curve.hpp"

#include "tests/properties.hpp"

namespace bursar::measured_curve_test {

namespace {

MeasuredPoint point(double bytes, double microseconds) {
    return {ByteVolume{bytes}, Seconds{microseconds * 1e-6}};
}

double microseconds(const MeasuredCurve& curve, double bytes) {
    return curve.time(ByteVolume{bytes}).count() * 1e6;
}

} // namespace

TEST_CASE("a link with latency is met between and outside its points") {
    // 10 us + 1 us a byte
    const MeasuredCurve curve{{point(10, 20), point(40, 50), point(160, 170)}};
    for (const double bytes : {0.0, 5.0, 10.0, 17.0, 40.0, 100.0, 160.0, 1000.0}) {
        CAPTURE(bytes);
        CHECK(microseconds(curve, bytes) == doctest::Approx(10 + bytes));
    }
}

TEST_CASE("a curve is exact at its points and between its neighbours elsewhere") {
    CHECK(check_property([] {
        std::vector<MeasuredPoint> points;
        double bytes = 0;
        const auto steps =
            *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 1 << 20)));
        for (const int step : steps) {
            bytes += step;
            points.push_back(point(bytes, drawn::in_range(1, 1 << 20)));
        }
        const MeasuredCurve curve{points};
        for (std::size_t i = 0; i < points.size(); ++i) {
            RC_ASSERT(curve.time(points[i].volume) == points[i].time);
            if (i == 0)
                continue;
            const Seconds middle = curve.time((points[i - 1].volume + points[i].volume) / 2.0);
            const auto [low, high] = std::minmax(points[i - 1].time, points[i].time);
            RC_ASSERT(middle >= low * (1 - 1e-12));
            RC_ASSERT(middle <= high * (1 + 1e-12));
        }
    }));
}

TEST_CASE("noise at the ends is not extended below zero or downward") {
    const MeasuredCurve steep{{point(100, 10), point(200, 40)}};
    CHECK(microseconds(steep, 50) == doctest::Approx(5)); // no cheaper per byte than the first
    const MeasuredCurve falling{{point(100, 20), point(200, 10)}};
    CHECK(microseconds(falling, 50) == doctest::Approx(20));
    CHECK(microseconds(falling, 400) == doctest::Approx(20));
}

TEST_CASE("one point is latency below it and bandwidth above it") {
    const MeasuredCurve curve{{point(100, 10)}};
    CHECK(microseconds(curve, 1) == doctest::Approx(10));
    CHECK(microseconds(curve, 100) == doctest::Approx(10));
    CHECK(microseconds(curve, 300) == doctest::Approx(30));
}

TEST_CASE("invalid measurements are refused") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH_AS(
        MeasuredCurve{{}}, "curve: has no points; give one size and time or more", ModelError);
    CHECK_THROWS_WITH_AS(
        MeasuredCurve({point(1, 1), point(1, 2)}),
        "curve: point 2 is not larger than the one before it; sort the points by size and keep one "
        "time for each",
        ModelError);
    CHECK_THROWS_AS(MeasuredCurve({point(2, 1), point(1, 2)}), ModelError);
    for (const double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity()}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(MeasuredCurve({point(bad, 1)}), ModelError);
        CHECK_THROWS_AS(MeasuredCurve({point(1, bad)}), ModelError);
    }
}

namespace {

constexpr double bus_factor = 1.75;

std::vector<MeasuredPoint> points_of(const FittedLink& link, int sizes) {
    std::vector<MeasuredPoint> points;
    double bytes = 32 * 1024;
    for (int i = 0; i < sizes; ++i, bytes *= 4)
        points.push_back({ByteVolume{bytes}, link.time(ByteVolume{bytes}, bus_factor)});
    return points;
}

} // namespace

TEST_CASE("a fit recovers a link from its transfer times") {
    CHECK(check_property([] {
        const FittedLink link{.latency = Seconds{drawn::in_range(1, 200) * 1e-6},
                              .bandwidth = ByteRate{drawn::in_range(10, 900) * 1e9},
                              .mean_log_error = 0};
        const FittedLink found = fit_link(points_of(link, 9), bus_factor);
        RC_ASSERT(found.mean_log_error < 0.002);
        RC_ASSERT(std::abs(found.bandwidth / link.bandwidth - 1) < 0.01);
        RC_ASSERT(std::abs(found.latency / link.latency - 1) < 0.01);
    }));
}

TEST_CASE("a fit recovers a link without latency") {
    const FittedLink link{.latency = {}, .bandwidth = ByteRate{50e9}, .mean_log_error = 0};
    const FittedLink found = fit_link(points_of(link, 5), bus_factor);
    CHECK(found.bandwidth.count() == doctest::Approx(50e9).epsilon(0.002));
    CHECK(found.mean_log_error < 0.002);
}

TEST_CASE("one outlier does not move the fit") {
    const FittedLink link{
        .latency = Seconds{40e-6}, .bandwidth = ByteRate{200e9}, .mean_log_error = 0};
    auto points = points_of(link, 9);
    points[4].time = points[4].time * 5.0;
    const FittedLink found = fit_link(points, bus_factor);
    CHECK(found.bandwidth.count() == doctest::Approx(200e9).epsilon(0.01));
    CHECK(found.latency / Seconds{40e-6} == doctest::Approx(1).epsilon(0.01));
}

TEST_CASE("a link needs two sizes") {
    const std::vector<MeasuredPoint> one{{ByteVolume{1e6}, Seconds{1e-4}}};
    CHECK_THROWS_WITH_AS((void)fit_link(one, bus_factor),
                         "curve: has one point; give two sizes or more to fit a link",
                         ModelError);
    CHECK_THROWS_AS((void)fit_link({}, bus_factor), ModelError);
}

} // namespace bursar::measured_curve_test
