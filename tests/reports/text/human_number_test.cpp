#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "reports/text/display_width.hpp"
#include "reports/text/human_number.hpp"
#include "reports/text/text_lines.hpp"

#include "tests/properties.hpp"

namespace bursar::human_number_test {

TEST_CASE("numbers have four significant digits and no trailing zeros") {
    const std::vector<std::pair<double, const char*>> cases{{0, "0"},
                                                            {1, "1"},
                                                            {0.85, "0.85"},
                                                            {12.34567, "12.35"},
                                                            {9.9996, "10"},
                                                            {999.96, "1,000"},
                                                            {123456.7, "123,457"},
                                                            {999999.4, "1e6"},
                                                            {1234567, "1.235e6"},
                                                            {175.2e9, "175.2e9"},
                                                            {1e20, "100e18"},
                                                            {0.00012345, "0.0001234"},
                                                            {0.0000012344, "1.234e-6"},
                                                            {-12.5, "-12.5"},
                                                            {-1234.5, "-1,234"},
                                                            {-2e-9, "-2e-9"}};
    for (const auto& [value, text] : cases) {
        CAPTURE(value);
        CHECK(human_number(value) == text);
    }
    CHECK(human_number(std::numeric_limits<double>::infinity()) == "-");
    CHECK(human_number(std::numeric_limits<double>::quiet_NaN()) == "-");
    CHECK(human_number(1234567.891, 2) == "1,234,567.89");
    CHECK(human_count(-1234567) == "-1,234,567");
}

TEST_CASE("four digits are right to half a unit of the last") {
    CHECK(check_property([] {
        const double mantissa = drawn::in_range(1'000'000, 10'000'000) / 1e6;
        const int exponent = drawn::in_range(-30, 30);
        const double value = mantissa * std::pow(10.0, exponent);
        std::string text = human_number(value);
        std::erase(text, ',');
        RC_ASSERT(std::abs(std::stod(text) - value) <= 0.000501 * value);
    }));
}

TEST_CASE("units are scaled for people") {
    using Case = std::tuple<const char*, double, const char*, double>;
    for (const auto& [unit, value, name, factor] : {Case{"s", 0.0123, "ms", 1e-3},
                                                    Case{"s", 4e-6, "us", 1e-6},
                                                    Case{"s", 32, "s", 1},
                                                    Case{"s", 7200, "h", 3600},
                                                    Case{"s", 1e6, "d", 86400},
                                                    Case{"s", 0, "s", 1},
                                                    Case{"B", 80e9, "GB", 1e9},
                                                    Case{"B", 2.3e12, "GB", 1e9},
                                                    Case{"B", 23e12, "TB", 1e12},
                                                    Case{"B/s", 25e9, "GB/s", 1e9},
                                                    Case{"FLOP/s", 312e12, "TFLOP/s", 1e12},
                                                    Case{"FLOP", 4.51e18, "EFLOP", 1e18},
                                                    Case{"J", 3.6e9, "kWh", 3.6e6},
                                                    Case{"g", 5e7, "t", 1e6},
                                                    Case{"fraction", 0.5, "%", 0.01},
                                                    Case{"tokens/s", 1e9, "tokens/s", 1},
                                                    Case{"", 1e9, "", 1}}) {
        CAPTURE(unit);
        CAPTURE(value);
        const ShownUnit shown = shown_unit(unit, value);
        CHECK(shown.name == name);
        CHECK(shown.factor == factor);
    }
}

TEST_CASE("wrapping keeps every character except blanks, and the width") {
    CHECK(check_property([] {
        const auto words = *rc::gen::container<std::vector<std::string>>(
            rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c'))));
        const auto width = drawn::in_range<std::size_t>(2, 30);
        std::string text;
        std::string letters;
        for (const std::string& word : words) {
            text += word + std::string(drawn::in_range<std::size_t>(1, 4), ' ');
            letters += word;
        }
        std::string wrapped_letters;
        for (const std::string& line : wrapped(text, width)) {
            RC_ASSERT(display_width(line) <= width);
            wrapped_letters += line;
        }
        std::erase(wrapped_letters, ' ');
        RC_ASSERT(wrapped_letters == letters);
    }));
    CHECK(wrapped("", 10) == std::vector<std::string>{""});
    CHECK(wrapped("one two", 7) == std::vector<std::string>{"one two"});
    CHECK(wrapped("one two", 6) == std::vector<std::string>{"one", "two"});
    CHECK(wrapped("\u4e2d\u6587\u4e2d", 4) == std::vector<std::string>{"\u4e2d\u6587", "\u4e2d"});
}

} // namespace bursar::human_number_test
