#include <string>

#include <doctest/doctest.h>

#include "scenarios/traces/text/csv_writer.hpp"
#include "scenarios/traces/text/numbers.hpp"

#include "tests/properties.hpp"

namespace bursar::numbers_test {

TEST_CASE("seconds become exact milliseconds, rounded half up") {
    CHECK(parse_seconds("66") == 66'000);
    CHECK(parse_seconds("66.0") == 66'000);
    CHECK(parse_seconds("0.1") == 100);
    CHECK(parse_seconds("0.0004") == 0);
    CHECK(parse_seconds("0.0005") == 1);
    CHECK(parse_seconds("0.00049999999999999999") == 0);
    CHECK(parse_seconds("1.9995") == 2'000);
    CHECK(parse_seconds("1.2344999") == 1'234);
    CHECK(parse_seconds("860662.123") == 860'662'123);
    CHECK(parse_seconds("999999999999.999") == 999'999'999'999'999);
}

TEST_CASE("a text that is no decimal number of seconds is refused as a whole") {
    for (const char* text : {"",
                             ".",
                             "1.",
                             ".5",
                             "-1",
                             "+1",
                             "1e3",
                             "nan",
                             "inf",
                             "1,5",
                             " 1",
                             "1 ",
                             "1.2.3",
                             "1000000000000",
                             "0x10",
                             "12a",
                             "1.2x",
                             "--",
                             "\xd9\xa1"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_seconds(text));
    }
}

TEST_CASE("counts") {
    CHECK(parse_count("0") == 0);
    CHECK(parse_count("8") == 8);
    CHECK(parse_count("8.0") == 8);
    CHECK(parse_count("8.00") == 8);
    CHECK(parse_count("999999999999") == 999'999'999'999);
    for (const char* text : {"", "8.", "8.5", "-8", "8 ", "1000000000000", "eight", "8.0.0"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_count(text));
    }
}

TEST_CASE("seconds are printed with the decimals they need and read back") {
    CHECK(format_seconds(66'000) == "66");
    CHECK(format_seconds(66'500) == "66.5");
    CHECK(format_seconds(1) == "0.001");
    CHECK(format_seconds(0) == "0");
    CHECK(check_property("round trip", [] {
        const auto ms = drawn::in_range<std::int64_t>(0, 1'000'000'000'000'000);
        RC_ASSERT(parse_seconds(format_seconds(ms)) == ms);
    }));
}

} // namespace bursar::numbers_test
