#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/variants/variants.hpp"

namespace bursar::value_range_test {
namespace {

using Texts = std::vector<std::string>;

std::string refusal(const std::string& text) {
    try {
        static_cast<void>(parse_axis(text));
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("a range with a step gives its values, with the unit written once or on each") {
    CHECK(parse_axis("a=30..60:10").values == Texts{"30", "40", "50", "60"});
    CHECK(parse_axis("a=1..6:2").values == Texts{"1", "3", "5"});
    CHECK(parse_axis("a=7..7:1").values == Texts{"7"});
    CHECK(parse_axis("a=0.9..1.1:0.05").values == Texts{"0.9", "0.95", "1", "1.05", "1.1"});
    const Texts rates{"0.2 USD/gpu-h", "0.25 USD/gpu-h", "0.3 USD/gpu-h"};
    CHECK(parse_axis("a=0.2..0.3:0.05 USD/gpu-h").values == rates);
    CHECK(parse_axis("a=10 min..30 min:10 min").values == Texts{"10 min", "20 min", "30 min"});
    CHECK(parse_axis("a=fifo,1..3:1,x").values == Texts{"fifo", "1", "2", "3", "x"});
}

TEST_CASE("a text that is no range with a step is one value") {
    for (const char* value : {"0..16",
                              "8..",
                              "..4",
                              "'1..3:1'",
                              "[1..3:1]",
                              "{at: 1..3:1}",
                              "2026-01-01T10:00",
                              "a..b:c",
                              "1..3:x",
                              "10 min..1 h:10 min",
                              "1..2..3:1"}) {
        CAPTURE(value);
        CHECK(parse_axis(std::string{"a="} + value).values == Texts{value});
    }
}

TEST_CASE("a range without values, or with far too many, is refused") {
    CHECK(refusal("a=5..1:1") == "--vary: a: \"5..1:1\" has no values (it ends before it begins)");
    CHECK(refusal("a=1..5:0") == "--vary: a: \"1..5:0\" has no values (its step is 0)");
    CHECK(refusal("a=1..3000000:1") ==
          "--vary: a: \"1..3000000:1\" has 3000000 values (at most 1000000 of an axis)");
}

TEST_CASE("numbers with too many digits are no range") {
    CHECK(!parse_value_range("0..999999999999999999:0.000000001"));
    CHECK(parse_value_range("0..999999999999999999:1"));
}

} // namespace bursar::value_range_test
