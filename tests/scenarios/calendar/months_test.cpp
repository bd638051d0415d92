#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/calendar/calendar.hpp"

namespace bursar::months_test {
namespace {

constexpr std::int64_t hour_ms = 3'600'000;
constexpr std::int64_t october_utc_ms = 1'506'816'000'000; // 2017-10-01T00:00Z

} // namespace

TEST_CASE("months begin at midnight of their zone, also after changes of summer time") {
    const std::int64_t begin = october_utc_ms + 36 * hour_ms;
    const auto utc = months_between("UTC", begin, begin + 40 * 24 * hour_ms);
    REQUIRE(utc.size() == 2);
    CHECK(utc[0] == CalendarMonth{"2017-10", october_utc_ms, october_utc_ms + 31 * 24 * hour_ms});
    CHECK(utc[1].name == "2017-11");
    CHECK(utc[1].begin_utc_ms == utc[0].end_utc_ms);
    // Summer time ended on 2017-10-29: Berlin's October had an hour more.
    const auto berlin = months_between("Europe/Berlin", begin, begin);
    REQUIRE(berlin.size() == 1);
    CHECK(berlin[0].begin_utc_ms == october_utc_ms - 2 * hour_ms);
    CHECK(berlin[0].end_utc_ms - berlin[0].begin_utc_ms == (31 * 24 + 1) * hour_ms);
    // And begins in Shanghai while UTC still has September.
    const auto shanghai = months_between("Asia/Shanghai", october_utc_ms - hour_ms, october_utc_ms);
    REQUIRE(shanghai.size() == 1);
    CHECK(shanghai[0].name == "2017-10");
}

TEST_CASE("a year has twelve months, leap days included, and continues with the next") {
    const auto months =
        months_between("America/New_York", 1'580'515'200'000, 1'612'137'600'000); // 2020-02 on
    REQUIRE(months.size() == 13); // from 2020-01-31 19:00 to 2021-01-31 19:00, of their clocks
    CHECK(months.front().name == "2020-01");
    CHECK(months[1].end_utc_ms - months[1].begin_utc_ms == 29 * 24 * hour_ms);
    CHECK(months.back().name == "2021-01");
}

TEST_CASE("a run that ends as a month begins does not include it") {
    const std::int64_t november = october_utc_ms + 31 * 24 * hour_ms;
    CHECK(months_between("UTC", october_utc_ms, november).size() == 1);
    CHECK(months_between("UTC", october_utc_ms, november + 1).size() == 2);
}

TEST_CASE("zones are those of the machine's database") {
    CHECK(is_time_zone("UTC"));
    CHECK(is_time_zone("Europe/Berlin"));
    CHECK_FALSE(is_time_zone("Europe/Berlinn"));
    CHECK_FALSE(is_time_zone(""));
    CHECK_FALSE(is_time_zone("../etc/passwd"));
}

} // namespace bursar::months_test
