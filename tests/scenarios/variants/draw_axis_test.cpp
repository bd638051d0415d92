#include <array>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/variants/draw_axis.hpp"

namespace bursar::draw_axis_test {
namespace {

Axis drawn(const std::string& range,
           DrawMethod method,
           std::uint32_t points,
           std::uint64_t seed = 1) {
    const std::array paths{DrawnPath{"a", {}, range}};
    return draw_axis(paths, method, points, seed);
}

} // namespace

TEST_CASE("a Latin hypercube has every equal part of every path once") {
    const std::array paths{DrawnPath{"a", {}, "0..99"}, DrawnPath{"b", {}, "1000..1999"}};
    const Axis axis = draw_axis(paths, DrawMethod::latin_hypercube, 10, 7);
    REQUIRE(axis.with.size() == 1);
    CHECK(axis.path == "a");
    CHECK(axis.with[0].path == "b");
    std::set<int> tens;
    std::set<int> hundreds;
    for (int i = 0; i < 10; ++i) {
        tens.insert(std::stoi(axis.values[i]) / 10);
        hundreds.insert(std::stoi(axis.with[0].values[i]) / 100);
    }
    CHECK(tens.size() == 10);
    CHECK(hundreds.size() == 10);
    CHECK(*hundreds.begin() == 10);
    CHECK(*hundreds.rbegin() == 19);
}

TEST_CASE("as many points as values give each value once") {
    const Axis axis = drawn("1..5", DrawMethod::latin_hypercube, 5);
    CHECK(std::set<std::string>{axis.values.begin(), axis.values.end()} ==
          std::set<std::string>{"1", "2", "3", "4", "5"});
}

TEST_CASE("the seed decides the points, and random ones are independent") {
    for (const DrawMethod method : {DrawMethod::random, DrawMethod::latin_hypercube}) {
        CHECK(drawn("0..1000000", method, 20).values == drawn("0..1000000", method, 20).values);
        CHECK(drawn("0..1000000", method, 20).values != drawn("0..1000000", method, 20, 2).values);
    }
    const std::vector<std::string> many = drawn("0..1000000", DrawMethod::random, 20).values;
    CHECK(drawn("0..1000000", DrawMethod::random, 5).values ==
          std::vector<std::string>{many.begin(), many.begin() + 5});
}

TEST_CASE("drawn values are inside their range, on its step, with its unit") {
    for (const DrawMethod method : {DrawMethod::random, DrawMethod::latin_hypercube})
        for (const std::string& value : drawn("0.2..0.4 USD/gpu-h", method, 50).values) {
            CAPTURE(value);
            CHECK(value.ends_with(" USD/gpu-h"));
            CHECK(std::stod(value) >= 0.2);
            CHECK(std::stod(value) <= 0.4);
        }
    for (const std::string& value : drawn("10..40:5", DrawMethod::random, 50).values)
        CHECK(std::stoi(value) % 5 == 0);
    const std::array paths{DrawnPath{"a", {"fifo", "sjf"}}};
    const Axis listed = draw_axis(paths, DrawMethod::random, 40, 1);
    CHECK(std::set<std::string>{listed.values.begin(), listed.values.end()} ==
          std::set<std::string>{"fifo", "sjf"});
}

TEST_CASE("a range that cannot be drawn from is reported") {
    CHECK_THROWS_WITH_AS(static_cast<void>(drawn("many", DrawMethod::random, 2)),
                         "a: \"many\" is not a range to draw from (such as 10..40 or 0.2..0.4 "
                         "USD/gpu-h, or a list of values)",
                         ScenarioError);
    CHECK_THROWS_WITH_AS(static_cast<void>(drawn("9..2", DrawMethod::random, 2)),
                         "a: \"9..2\" has no values (it ends before it begins)",
                         ScenarioError);
}

} // namespace bursar::draw_axis_test
