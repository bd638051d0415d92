#include <string>

#include <doctest/doctest.h>

#include "reports/charts/axis.hpp"

namespace bursar::axis_test {
namespace {

std::string labels(const Axis& axis) {
    std::string out;
    for (const Tick& tick : axis.ticks)
        out += (out.empty() ? "" : " | ") + tick.label;
    return out;
}

} // namespace

TEST_CASE("ticks of a number are round and cover all of it") {
    CHECK(labels(linear_axis("GPUs", 0, 544, 5)) == "0 | 200 | 400 | 600");
    CHECK(labels(linear_axis("USD", 0, 362'388, 4)) == "0 | 100 k | 200 k | 300 k | 400 k");
    CHECK(labels(linear_axis("", 0, 0.95, 5)) == "0 | 0.2 | 0.4 | 0.6 | 0.8 | 1.0");
    CHECK(labels(linear_axis("", 0, 0, 5)) == "0 | 0.2 | 0.4 | 0.6 | 0.8 | 1.0");
    const Axis axis = linear_axis("", 0, 3e9, 4);
    CHECK(axis.ticks.back().label == "3000 M");
    CHECK(axis.share(1.5e9) == doctest::Approx(0.5));
    CHECK(axis.share(-1) == 0);
    CHECK(axis.share(9e9) == 1);
}

TEST_CASE("price axes need not begin at zero") {
    CHECK(labels(close_axis("", 0.9, 1.1, 4)) == "0.90 | 0.95 | 1.00 | 1.05 | 1.10");
    CHECK(close_axis("", 0.1, 1.1, 4).min == 0);
}

TEST_CASE("logarithmic ticks are powers of ten, or common units of time") {
    CHECK(labels(log_axis("", 1, 1136)) == "1 | 10 | 100 | 1,000 | 10 k");
    CHECK(log_axis("", 1, 100).share(10) == doctest::Approx(0.5));
    CHECK(labels(span_axis("", 50)) == "1 s | 10 s | 1 min");
    CHECK(labels(span_axis("", 30 * 86'400)) == "1 s | 1 min | 1 h | 6 h | 1 d | 10 d | 100 d");
    CHECK(span_axis("", 50).share(0) == 0); // less than a second is at the left end
}

TEST_CASE("instants are dates in UTC, or counted from the start") {
    constexpr std::int64_t second_of_october = 1'506'902'400'000; // 2017-10-02T00:00Z
    const Axis days = time_axis(second_of_october, {}, 60 * day, 5);
    CHECK(labels(days) == "5 Oct | 19 Oct | 2 Nov | 16 Nov | 30 Nov");
    CHECK(days.title == "UTC, 2017");
    const Axis hours = time_axis(second_of_october, {}, 12 * hour, 5);
    CHECK(labels(hours) == "2 Oct | 03:00 | 06:00 | 09:00 | 12:00");
    CHECK(hours.title == "UTC, 2 Oct 2017");
    CHECK(time_axis(second_of_october, {}, 200 * day, 5).title == "UTC, 2017 to 2018");
    const Axis undated = time_axis(std::nullopt, {}, 10 * hour, 5);
    CHECK(labels(undated) == "0 | 3 | 6 | 9");
    CHECK(undated.title == "hours since the start");
    CHECK(time_axis(std::nullopt, {}, {}, 5).ticks.size() >= 1); // also for a run of no length
}

} // namespace bursar::axis_test
