#include <string>

#include <doctest/doctest.h>

#include "scenarios/traces/text/timestamps.hpp"

#include "tests/properties.hpp"

namespace bursar::timestamps_test {
namespace {

// `date -u -d '2017-10-09 07:01:55' +%s`
constexpr std::int64_t stamp_ms = 1'507'532'515'000;
constexpr std::int64_t eight_hours_ms = 8 * 3'600'000;

} // namespace

TEST_CASE("stamps") {
    CHECK(parse_timestamp("2017-10-09 07:01:55", 0) == stamp_ms);
    CHECK(parse_timestamp("2017-10-09T07:01:55", 0) == stamp_ms);
    CHECK(parse_timestamp("2017-10-09T07:01:55Z", eight_hours_ms) == stamp_ms);
    CHECK(parse_timestamp("2017-10-09 07:01:55", eight_hours_ms) == stamp_ms - eight_hours_ms);
    CHECK(parse_timestamp("2017-10-09 15:01:55+08:00", 0) == stamp_ms);
    CHECK(parse_timestamp("2017-10-09 15:01:55+0800", 0) == stamp_ms);
    CHECK(parse_timestamp("2017-10-09 15:01:55+08", 0) == stamp_ms);
    CHECK(parse_timestamp("2017-10-09 02:31:55-04:30", 0) == stamp_ms);
    CHECK(parse_timestamp("2017-10-09 07:01:55.25", 0) == stamp_ms + 250);
    CHECK(parse_timestamp("2017-10-09 07:01:55.9996Z", 0) == stamp_ms + 1000);
    CHECK(parse_timestamp("1970-01-01 00:00:00", 0) == 0);
    CHECK(parse_timestamp("1969-12-31 23:59:59", 0) == -1000);
    CHECK(parse_timestamp("0000-01-01 00:00:00", 0) == -62'167'219'200'000);
    CHECK(parse_timestamp("2000-02-29 00:00:00", 0) == 951'782'400'000);
}

TEST_CASE("a text that is no stamp or no day of the calendar is refused") {
    for (const char* text : {"",
                             "2017-10-09",
                             "2017-10-09 07:01",
                             "2017-10-09  7:01:55",
                             "2017-13-09 07:01:55",
                             "2017-00-09 07:01:55",
                             "2017-10-32 07:01:55",
                             "2017-10-00 07:01:55",
                             "2017-02-29 07:01:55",
                             "1900-02-29 07:01:55",
                             "2017-10-09 24:00:00",
                             "2017-10-09 07:60:55",
                             "2017-10-09 07:01:60",
                             "2017/10/09 07:01:55",
                             "2017-10-09_07:01:55",
                             "2017-10-09 07.01.55",
                             "2017-10-09 07:01:55.",
                             "2017-10-09 07:01:55 ",
                             "2017-10-09 07:01:55ZZ",
                             "2017-10-09 07:01:55+",
                             "2017-10-09 07:01:55+8",
                             "2017-10-09 07:01:55+15:00",
                             "2017-10-09 07:01:55+08:60",
                             "2017-10-09 07:01:55UTC",
                             "20a7-10-09 07:01:55",
                             "2017-10-:9 07:01:55",
                             "2017-10-09 07:01:5/",
                             "\xb2"
                             "017-10-09 07:01:55"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_timestamp(text, 0));
    }
}

TEST_CASE("a date alone is its midnight") {
    CHECK(parse_date_or_timestamp("2017-10-09", 0) == stamp_ms - (7 * 3600 + 115) * 1000);
    CHECK(parse_date_or_timestamp("2017-10-09 07:01", 0) == stamp_ms - 55'000);
    CHECK(parse_date_or_timestamp("2017-10-09 07:01:55", 0) == stamp_ms);
    CHECK_FALSE(parse_date_or_timestamp("2017-10", 0));
}

TEST_CASE("zones") {
    CHECK(parse_zone("UTC") == 0);
    CHECK(parse_zone("+08:00") == eight_hours_ms);
    CHECK(parse_zone("-0330") == -12'600'000);
    for (const char* text : {"", "CET", "8", "+", "+8", "+8:00", "+24:00", "Z+1"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_zone(text));
    }
}

TEST_CASE("every instant is printed as the stamp that gives it back") {
    CHECK(format_timestamp(stamp_ms) == "2017-10-09 07:01:55");
    CHECK(format_timestamp(stamp_ms + 7) == "2017-10-09 07:01:55.007");
    CHECK(check_property("round trip", [] {
        const auto ms = drawn::in_range<std::int64_t>(-62'167'219'200'000, 253'402'300'799'999);
        RC_ASSERT(parse_timestamp(format_timestamp(ms), 0) == ms);
    }));
}

} // namespace bursar::timestamps_test
