#include <cmath>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "models/errors/model_error.hpp"
#include "models/network/fit_link.hpp"

namespace bursar::fit_link_test {
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

TEST_CASE("a link is found again from its own times") {
    CHECK(rc::check([] {
        const FittedLink link{.latency = Seconds{*rc::gen::inRange(1, 200) * 1e-6},
                              .bandwidth = ByteRate{*rc::gen::inRange(10, 900) * 1e9},
                              .mean_log_error = 0};
        const FittedLink found = fit_link(points_of(link, 9), bus_factor);
        RC_ASSERT(found.mean_log_error < 0.002);
        RC_ASSERT(std::abs(found.bandwidth / link.bandwidth - 1) < 0.01);
        RC_ASSERT(std::abs(found.latency / link.latency - 1) < 0.01);
    }));
}

TEST_CASE("a link without latency is found, too") {
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

} // namespace bursar::fit_link_test
