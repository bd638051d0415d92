#include <doctest/doctest.h>

#include "tests/scenarios/market/availability/read_availability.hpp"

namespace bursar::node_counts_test {

using test::read_supply;
using test::supply_complaint;
using test::supply_notes;

TEST_CASE("a count holds until the next row; the header states the unit") {
    const AvailabilityFile file = read_supply("time_h,count\n0,2\n1.5,0\n2,1\n4,1\n");
    CHECK(file.format == "node-counts");
    CHECK(file.notes.empty());
    CHECK(file.supply.at(hour) == 2);
    CHECK(file.supply.at(90 * minute) == 0);
    CHECK(file.supply.end() == 4 * hour);
    CHECK(file.supply.node_ms() == int128{3 + 2} * hour.count());
    CHECK(read_supply("time_ms,count\n0,2\n1000,0\n").supply.end() == second);
    CHECK(read_supply("time_min,count\n0,2\n3,0\n").supply.end() == 3 * minute);
}

TEST_CASE("an unstated unit is noted") {
    CHECK(supply_notes("0,2\n60,0\n") ==
          "a: times are taken as seconds (their unit is not given: a header of time_ms, time_s, "
          "time_min or time_h, or `unit`)\n");
    AvailabilityOptions options;
    options.unit = hour;
    CHECK(supply_notes("0,2\n60,0\n", options).empty());
    CHECK(read_supply("time_s,count\n0,2\n60,0\n", options).supply.end() == 60 * hour);
}

TEST_CASE("two counts at one time are a step; a third is noted") {
    AvailabilityOptions options;
    options.unit = second;
    CHECK(supply_notes("0,1\n60,1\n60,4\n90,4\n", options).empty());
    CHECK(read_supply("0,1\n60,1\n60,4\n90,4\n", options).supply.at(minute) == 4);
    CHECK(supply_notes("0,1\n60,1\n60,4\n60,2\n90,2\n", options) ==
          "a:4:1: a third count for one time at line 4 (the last one of a time holds)\n");
    CHECK(read_supply("0,1\n60,1\n60,4\n60,2\n90,2\n", options).supply.at(minute) == 2);
}

TEST_CASE("dates, in one field or two, with and without a zone") {
    const AvailabilityFile two =
        read_supply("2021-12-11, 11:11:30, 55\n2021-12-11, 11:13:10, 54\n");
    CHECK(two.dated);
    CHECK(two.supply.begin() == Duration{1'639'221'090'000});
    CHECK(two.supply.length() == 100 * second);
    REQUIRE(two.notes.size() == 1);
    CHECK(two.notes[0].text() == "a:1:1: times without a zone are taken as UTC");
    CHECK(read_supply("time,count\n2021-12-11T12:11:30Z,5\n2021-12-11T11:13:10,4\n")
              .notes.front()
              .text() == "a:3:1: times without a zone are taken as UTC");
    CHECK(read_supply("time,count\n2021-12-11T11:11:30Z,5\n2021-12-11T13:13:10+02:00,4\n")
              .notes.empty());
    AvailabilityOptions options;
    options.time_zone_ms = hour.count();
    CHECK(read_supply("time,count\n2021-12-11T12:11:30,5\n2021-12-11T11:13:10Z,4\n", options)
              .supply.length() == 100 * second);
}

TEST_CASE("numbers as large as times since 1970 are dates, as in price files") {
    for (const char* text : {"1711800000,4\n1711803600,2\n",
                             "1711800000000,4\n1711803600000,2\n",
                             "time_s,count\n1711800000,4\n1711803600,2\n"}) {
        const AvailabilityFile file = read_supply(text);
        CHECK(file.dated);
        CHECK(file.supply.begin() == Duration{1'711'800'000'000});
        CHECK(file.supply.length() == hour);
        REQUIRE(file.notes.size() == 1);
        CHECK(file.notes[0].problem ==
              "times are taken as seconds or milliseconds since 1970-01-01 UTC");
        CHECK(file.notes[0].place.column == 1);
    }
    CHECK(supply_complaint("0,4\n1711803600,2\n") ==
          "a:2:1: time: \"1711803600\" is a time since 1970, and others are since the begin");
    const AvailabilityFile events = read_supply("1711800000000,add,n\n1711803600000,remove,n\n");
    CHECK(events.dated);
    CHECK(events.notes.size() == 1);
}

TEST_CASE("disorder, gaps and outliers are noted, and kept") {
    AvailabilityOptions options;
    options.unit = second;
    CHECK(supply_notes("0,1\n90,2\n60,3\n", options) ==
          "a:3:1: times go back at line 3 (rows are taken in the order of their times)\n");
    CHECK(read_supply("0,1\n90,2\n60,3\n", options).supply.at(minute) == 3);
    CHECK(supply_notes("0,4\n60,40\n120,4\n", options) ==
          "a:2:4: a count ten times its neighbours at line 2 (it is kept)\n");
    CHECK(read_supply("0,4\n60,40\n120,4\n", options).supply.max_nodes() == 40);
    std::string regular;
    for (int i = 0; i < 20; ++i)
        regular += std::to_string(60 * i + (i >= 12 ? 36'000 : 0)) + ",3\n";
    CHECK(supply_notes(regular, options) ==
          "a:13:1: no row for 10.0 h before it (the count before holds meanwhile)\n");
}

TEST_CASE("a malformed row is refused with its place") {
    AvailabilityOptions options;
    options.unit = second;
    CHECK(supply_complaint("0,1\n60,-1\n", options) ==
          R"(a:2:4: count: "-1" is not a number of nodes (0 to 100000))");
    CHECK(supply_complaint("0,1\n60,1.5\n", options) ==
          R"(a:2:4: count: "1.5" is not a number of nodes (0 to 100000))");
    CHECK(supply_complaint("0,1\n-60,1\n", options) ==
          R"(a:2:1: time: "-60" is no number, as others are)");
    CHECK(supply_complaint("time_s,count\n-60,1\n", options) ==
          R"(a:2:1: time: "-60" is neither a number of zero or above nor a date and time)");
    CHECK(supply_complaint("2021-12-11 11:11:30,1\n60,1\n", options) ==
          R"(a:2:1: time: "60" is no date, as others are)");
    CHECK(
        supply_complaint("2021-12-11, 11:11:30, 1\n2021-12-11, 11:71:30, 1\n", options) ==
        R"(a:2:1: time: "2021-12-11 11:71:30" is neither a number of zero or above nor a date and )"
        "time");
    CHECK(supply_complaint("0,1\n60,100001\n", options) ==
          R"(a:2:4: count: "100001" is not a number of nodes (0 to 100000))");
    CHECK(supply_complaint("0,1\n99999999999,1\n", options) ==
          "a: times reach over more than 278 years; is their unit right?");
    CHECK(supply_complaint("0,1,2,3\n", options) ==
          "a:1:1: not two or three fields (expected time and count)");
    CHECK(supply_complaint("0,8\n", options) == "a: lasts for no time; give at least two instants");
    CHECK(supply_complaint("time_s,count\n") ==
          "a: has no steps; give at least one time with its nodes");
}

} // namespace bursar::node_counts_test
