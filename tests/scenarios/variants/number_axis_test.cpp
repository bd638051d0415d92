#include <cstddef>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "scenarios/variants/number_axis.hpp"

namespace bursar::test::number_axis_test {
namespace {

NumberAxis numbers(const char* values) {
    const auto axis = NumberAxis::of(parse_axis(std::string{"a.b="} + values));
    REQUIRE(axis);
    return *axis;
}

} // namespace

TEST_CASE("values between numbers") {
    const auto between = [](const char* values, std::size_t place = 0) {
        return numbers(values).between(place).value_or("none");
    };
    CHECK(between("8,16") == "12");
    CHECK(between("8,11") == "9.5");
    CHECK(between("8,9") == "8.5");
    CHECK(between("0.5,1") == "0.75");
    CHECK(between("0.5,1,2", 1) == "1.5");
    CHECK(between("10 min,15 min") == "12.5 min");
    CHECK(between("0.2..0.4:0.1 USD/gpu-h") == "0.25 USD/gpu-h");
    CHECK(between("0..8,0..16") == "0..12");
    CHECK(between("0..8,4..8") == "2..8");
    CHECK(between("0..8,0..9") == "0..8.5");
}

TEST_CASE("values between whole numbers stay whole where fractions cannot be read") {
    const auto between = [](const char* values) {
        NumberAxis axis = numbers(values);
        axis.keep_whole();
        return axis.between(0).value_or("none");
    };
    CHECK(between("8,16") == "12");
    CHECK(between("8,11") == "9");
    CHECK(between("8,9") == "none");
    CHECK(between("0..8,4..11") == "2..9");
    CHECK(between("0..8,0..9") == "none");
    CHECK(numbers("8,16").fraction() == "8.5");
    CHECK(numbers("0..8,0..16").fraction() == "0..8.5");
    CHECK(numbers("10 min,15 min").fraction() == "10.5 min");
    CHECK_FALSE(numbers("0.5,1").fraction());
}

TEST_CASE("values keep at most nine decimals and twelve digits") {
    NumberAxis axis = numbers("1,2");
    for (int i = 0; i < 40; ++i)
        if (const auto half = axis.between(0))
            axis.insert(*half);
    CHECK(axis.value(1) == "1.000000001");
    CHECK_FALSE(axis.between(0));
    NumberAxis large = numbers("100000000000,300000000000");
    for (int i = 0; i < 60; ++i)
        if (const auto half = large.between(0))
            large.insert(*half);
    CHECK(large.value(1) == "100000000001");
}

TEST_CASE("values are in ascending order, each once, and keep their text") {
    NumberAxis axis = numbers("16,8,12.0,8,12");
    REQUIRE(axis.size() == 3);
    CHECK(axis.value(1) == "12.0");
    CHECK(axis.place_of("16") == 2);
    CHECK(axis.place_of("12") == 1);
    CHECK(axis.between(1) == "14");
    axis.insert("14");
    CHECK(axis.place_of("16") == 3);
    NumberAxis halves = numbers("1.5,2");
    halves.insert("1.75");
    CHECK(halves.place_of("1.5") == 0);
    CHECK(halves.between(0) == "1.625");
}

TEST_CASE("the most values of an axis that is refined") {
    const auto most = [](const char* values, std::uint64_t times, bool is_whole) {
        NumberAxis axis = numbers(values);
        if (is_whole)
            axis.keep_whole();
        return axis.max_size(times);
    };
    CHECK(most("8,16,24", 2, true) == 7);
    CHECK(most("8,10", 5, true) == 3);
    CHECK(most("8,10", 5, false) == 12);
    CHECK(most("0..8,0..9", 5, true) == 2);
    CHECK(most("0..8,1..9", 5, true) == 4);
    CHECK(most("0..8,1000..2000", 5, true) == 12);
    CHECK(most("1.0,1.5", 5, false) == 12);
}

TEST_CASE("axes that have no order") {
    for (const char* axis : {"a=fifo,sjf",
                             "a=1 h,30 min",
                             "a=8,0..16",
                             "a=[1],[2]",
                             "a=1,2; b=3,4",
                             "a=1,x",
                             "a=-1,1"}) {
        CAPTURE(axis);
        CHECK_FALSE(NumberAxis::of(parse_axis(axis)));
    }
}

} // namespace bursar::test::number_axis_test
