#include <string>

#include <doctest/doctest.h>

#include "scenarios/market/grid/grid_file.hpp"
#include "scenarios/traces/bytes/byte_source.hpp"

#include "tests/shared_data.hpp"

namespace bursar::grid_file_test {
namespace {

GridFile read(const std::string& text, const std::string& zone = {}) {
    MemorySource bytes{text};
    return read_grid(bytes, "grid.csv", zone);
}

std::string mistake_in(const std::string& text, const std::string& zone = {}) {
    try {
        static_cast<void>(read(text, zone));
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return "";
}

bool has(const std::string& text, const std::string& part) {
    CAPTURE(text);
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("intensities over time are read in grams per kWh, in any order and zone") {
    const GridFile file = read("time,g_per_kwh\n"
                               "2024-01-01T02:00+01:00,50.25\n"
                               "2024-01-01T00:00Z,300\n"
                               "2024-01-01T02:00Z,0\n");
    CHECK(file.is_dated);
    CHECK(file.steps.rate == std::vector<std::int64_t>{300'000, 50'250, 0});
    CHECK(file.steps.start_ms[1] - file.steps.start_ms[0] == hour.count());
    CHECK(file.end_ms == file.steps.start_ms[2] + hour.count());
    CHECK(file.name() == "grid.csv");
    CHECK(file.instant(file.end_ms) == "2024-01-01 03:00:00Z");
    REQUIRE(file.notes.size() == 1);
    CHECK(has(file.notes[0].text(), "not in order of time"));
}

TEST_CASE("seconds count from the begin of the run") {
    const GridFile file = read("time,g_per_kwh\n0,400\n3600,200\n");
    CHECK_FALSE(file.is_dated);
    CHECK(file.steps.start_ms == std::vector<std::int64_t>{0, 3'600'000});
    CHECK(file.instant(3'600'000) == "hour 1");
    CHECK(file.notes.empty());
}

TEST_CASE("numbers as large as times since 1970 are dates") {
    for (const char* text : {"time,g_per_kwh\n1711800000,400\n1711803600,200\n",
                             "time,g_per_kwh\n1711800000000,400\n1711803600000,200\n"}) {
        const GridFile file = read(text);
        CHECK(file.is_dated);
        CHECK(file.instant(file.steps.start_ms.front()) == "2024-03-30 12:00:00Z");
        CHECK(has(file.notes.at(0).text(), "grid.csv:2:1: times are taken as seconds or milli"));
    }
    CHECK(
        has(mistake_in("time,g_per_kwh\n0,60\n1711800000,60\n"), ":3:1: time: dates and seconds"));
}

TEST_CASE("odd values of a file are noted") {
    const auto note = [](const std::string& text) { return read(text).notes.at(0).text(); };
    CHECK(has(note("time,g_per_kwh\n2024-01-01 00:00,400\n2024-01-01 01:00,2\n"), "taken as UTC"));
    CHECK(has(note("time,g_per_kwh\n0,0.0004\n3600,0.0002\n"), "tons or kg?"));
    CHECK(has(note("time,g_per_kwh\n0,4\n60,5\n120,5\n180,4\n86400,3\n"), "nothing for 23.95 h"));
}

TEST_CASE("impossible values are refused with their place") {
    CHECK(has(mistake_in("time,g_per_kwh\n0,-3\n"), ":2:3: g_per_kwh: \"-3\" is no carbon"));
    CHECK(has(mistake_in("time,g_per_kwh\n0,\n"), "is no carbon intensity"));
    CHECK(has(mistake_in("time,g_per_kwh\n0,57 g\n"), "is no carbon intensity"));
    CHECK(has(mistake_in("time,g_per_kwh\n0,6000\n"), "more than any grid"));
    CHECK(has(mistake_in("time,g_per_kwh\nnoon,60\n"), "is not a time"));
    CHECK(has(mistake_in("time,g_per_kwh\n0,60\n2024-01-01,60\n"), "dates and seconds"));
    CHECK(has(mistake_in("time,g_per_kwh\n0,60\n0,61\n"), "two intensities for one instant"));
    CHECK(read("time,g_per_kwh\n0,60\n0,60\n").steps.size() == 1);
    CHECK(has(mistake_in("time,g_per_kwh\n0,60,7\n"), "another number of fields"));
    CHECK(has(mistake_in("time,intensity\n0,60\n"), "g_per_kwh"));
    CHECK(has(mistake_in("time,g_per_kwh\n"), "no row has an intensity"));
    CHECK(has(mistake_in(""), "empty"));
}

TEST_CASE("one of several zones must be named") {
    const std::string two = "time,g_per_kwh,zone\n0,60,FR\n0,400,DE\n3600,50,FR\n";
    CHECK(read(two, "FR").steps.rate == std::vector<std::int64_t>{60'000, 50'000});
    CHECK(read(two, "FR").name() == "FR of grid.csv");
    CHECK(has(mistake_in(two), "it has 2 zones"));
    CHECK(has(mistake_in(two, "FX"), "no zone \"FX\""));
    CHECK(has(mistake_in("time,g_per_kwh\n0,60\n", "FR"), "no zones"));
}

TEST_CASE("yearly means hold from the begin of their years on") {
    const auto path = test::shared_data("data/carbon/mlco2_yearly_averages_2021-10-27.csv");
    if (!path)
        return;
    const GridFile file = read_grid(path->string(), "AUS-NSW");
    CHECK(file.is_dated);
    REQUIRE(file.steps.size() >= 4);
    CHECK(file.instant(file.steps.start_ms[0]) == "2017-01-01 00:00:00Z");
    CHECK(file.steps.rate[0] == 725'992);
    CHECK(file.steps.rate[3] == 676'100);
}

} // namespace bursar::grid_file_test
