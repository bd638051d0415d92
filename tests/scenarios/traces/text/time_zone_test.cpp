#include <string>

#include <doctest/doctest.h>

#include "scenarios/traces/text/time_zone.hpp"
#include "scenarios/traces/text/timestamps.hpp"

namespace bursar::time_zone_test {
namespace {

/// "2024-03-31 00:59:59" of an instant that clocks in `zone` show as `text`.
std::string utc_of(TimeZone& zone, const std::string& text) {
    const std::optional<std::int64_t> ms = zone.timestamp(text);
    return ms ? format_timestamp(*ms) : "none";
}

} // namespace

TEST_CASE("zones are offsets or names of the time-zone database") {
    for (const char* const name : {"UTC", "Z", "+08:00", "-0330", "Europe/Berlin", "US/Pacific"})
        CHECK(TimeZone::of(name));
    for (const char* const name : {"", "Berlin", "+25:00", "../etc/passwd", "Europe/Berlinn"}) {
        CAPTURE(name);
        CHECK_FALSE(TimeZone::of(name));
    }
    CHECK(TimeZone::of("Europe/Berlin")->has_changes());
    CHECK_FALSE(TimeZone::of("+01:00")->has_changes());
}

TEST_CASE("local times follow the changes to summer time and back") {
    TimeZone zone = *TimeZone::of("Europe/Berlin");
    CHECK(utc_of(zone, "2024-03-31 01:59:59") == "2024-03-31 00:59:59");
    CHECK(utc_of(zone, "2024-03-31 02:30:00") == "2024-03-31 01:00:00"); // clocks skip it
    CHECK(utc_of(zone, "2024-03-31 03:00:00") == "2024-03-31 01:00:00");
    CHECK(utc_of(zone, "2024-07-01 12:00:00.250") == "2024-07-01 10:00:00.250");
    CHECK(utc_of(zone, "2024-10-27 01:59:59") == "2024-10-26 23:59:59");
    CHECK(utc_of(zone, "2024-10-27 02:30:00") == "2024-10-27 00:30:00"); // the first of two
    CHECK(utc_of(zone, "2024-10-27 03:00:00") == "2024-10-27 02:00:00");
    CHECK(utc_of(zone, "2024-01-01 00:00:00") == "2023-12-31 23:00:00"); // back again
    CHECK(utc_of(zone, "2024-07-01 12:00:00Z") == "2024-07-01 12:00:00");
    CHECK(utc_of(zone, "2024-07-01 12:00:00-05:00") == "2024-07-01 17:00:00");
    CHECK(utc_of(zone, "2024-13-01 12:00:00") == "none");
    CHECK(format_timestamp(*zone.date_or_timestamp("2024-07-01")) == "2024-06-30 22:00:00");
    CHECK(format_timestamp(*zone.date_or_timestamp("2024-07-01 12:00 +01:00")) ==
          "2024-07-01 11:00:00");
}

} // namespace bursar::time_zone_test
