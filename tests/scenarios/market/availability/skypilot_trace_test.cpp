#include <doctest/doctest.h>

#include "tests/scenarios/market/availability/read_availability.hpp"
#include "tests/scenarios/traces/temporary_file.hpp"

namespace bursar::skypilot_trace_test {

using test::read_supply;
using test::supply_complaint;
using test::supply_notes;

TEST_CASE("an entry of a SkyPilot trace holds for one tick; 1 is up") {
    const AvailabilityFile file =
        read_supply(R"({"metadata": {"gap_seconds": 60}, "data": [1, 1, 0, 1, 0, 0]})");
    CHECK(file.format == "skypilot-trace");
    CHECK_FALSE(file.dated);
    CHECK(file.notes.empty());
    REQUIRE(file.supply.steps().size() == 4);
    CHECK(file.supply.at(minute) == 1);
    CHECK(file.supply.at(2 * minute) == 0);
    CHECK(file.supply.end() == 6 * minute);
    CHECK(file.supply.node_ms() == int128{3} * minute.count());
}

TEST_CASE("several nodes, prices beside them, and JSON without blanks") {
    const AvailabilityFile file =
        read_supply(R"({"metadata":{"gap_seconds":0.5},"data":[16,0,4],"prices":[0.9,0.9,0.9]})");
    CHECK(file.supply.at(Duration{0}) == 16);
    CHECK(file.supply.end() == Duration{1500});
}

TEST_CASE("a wrong tick of the file can be replaced") {
    AvailabilityOptions options;
    options.tick = 290 * second;
    const std::string text = R"({"metadata": {"gap_seconds": 600}, "data": [1, 0]})";
    CHECK(read_supply(text, options).supply.length() == 580 * second);
    // The tick may be missing from the file.
    CHECK(read_supply(R"({"data": [1, 0]})", options).supply.length() == 580 * second);
}

TEST_CASE("a file that is nearly always down is warned of, unless it is inverted") {
    const std::string text =
        R"({"metadata": {"gap_seconds": 60}, "data": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]})";
    CHECK(supply_notes(text) == "a:1:1: polarity: nodes can be had for 7.1 % of the time only (1 "
                                "is taken as up); `polarity: "
                                "inverted` if 1 is down in this file\n");
    AvailabilityOptions options;
    options.inverted = true;
    CHECK(supply_notes(text, options).empty());
    CHECK(read_supply(text, options).supply.node_ms() == int128{13} * minute.count());
    const std::string other = R"({"metadata": {"gap_seconds": 60}, "data": [1, 1]})";
    CHECK(supply_notes(other, options) ==
          "a:1:1: polarity: nodes can be had for 0.0 % of the time only (up and down are "
          "exchanged, as "
          "asked); leave `polarity: inverted` out if 1 is up in this file\n");
}

TEST_CASE("the same bytes have the same hash") {
    const std::string text = R"({"metadata": {"gap_seconds": 60}, "data": [1, 0]})";
    CHECK(read_supply(text).hash == read_supply(text).hash);
    CHECK(read_supply(text).hash != read_supply(text + "\n").hash);
}

TEST_CASE("a malformed SkyPilot trace is refused with its place") {
    CHECK(supply_complaint(R"({"metadata": {"gap_seconds": 60}})") ==
          "a:1:1: data: missing (a SkyPilot trace has it)");
    CHECK(supply_complaint(R"({"metadata": {"gap": 60}, "data": [1]})") ==
          "a:1:14: gap_seconds: missing (a SkyPilot trace has it)");
    CHECK(
        supply_complaint(R"({"metadata": {"gap_seconds": -60}, "data": [1]})") ==
        R"(a:1:30: metadata.gap_seconds: "-60" is not a number of seconds above zero, up to a day)");
    CHECK(
        supply_complaint(R"({"metadata": {"gap_seconds": 0}, "data": [1]})") ==
        R"(a:1:30: metadata.gap_seconds: "0" is not a number of seconds above zero, up to a day)");
    CHECK(supply_complaint("{\"metadata\": {\"gap_seconds\": 60},\n \"data\": [1, -1]}") ==
          R"(a:2:14: data[1]: "-1" is not a number of nodes (0 to 100000))");
    CHECK(supply_complaint(R"({"metadata": {"gap_seconds": 60}, "data": [1, 0.5]})") ==
          R"(a:1:47: data[1]: "0.5" is not a number of nodes (0 to 100000))");
    CHECK(supply_complaint(R"({"metadata": {"gap_seconds": 60}, "data": [1, [0]]})") ==
          "a:1:47: data[1]: a list is not a number of nodes (0 to 100000)");
    CHECK(supply_complaint(R"({"metadata": {"gap_seconds": 60}, "data": []})") ==
          "a:1:43: data: a list is no list of numbers of nodes");
    CHECK(supply_complaint(R"({"metadata": {"gap_seconds": 60}, "data": [1)").starts_with("a:"));
}

TEST_CASE("availability is distinguished from prices by the beginning of a file") {
    const auto holds = [](std::string_view text) {
        return holds_availability(test::TemporaryFile{text}.path());
    };
    CHECK(holds(R"({"metadata": {"gap_seconds": 60}, "data": [1, 1]})"));
    CHECK(holds("[0, \"add\", {\"nodes\": [\"n0\"]}]\n"));
    CHECK(holds("[2020-03-15T10:07:33.000Z] Created instance\n"));
    CHECK(holds("0,add,node1\n"));
    CHECK(holds("time_s,nodes\r\n0,1\r\n"));
    CHECK(holds("2021-12-11, 11:11:30, 55\n"));
    CHECK_FALSE(holds(R"({"SpotPriceHistory": [{"SpotPrice": "0.9"}]})"));
    CHECK_FALSE(holds(R"([{"family": "p3", "pricing": {}}])"));
    CHECK_FALSE(holds("time,price\n0,1\n"));
    CHECK_FALSE(holds("Date,NC6\n2/24/2020,$0.1\n"));
    CHECK_FALSE(holds(""));
}

TEST_CASE("for a file without availability, the message lists the formats") {
    CHECK(supply_complaint("") == "a: empty (it says of no time whether nodes can be had)");
    CHECK(
        supply_complaint("hello\n") ==
        "a:1:1: not known as availability of nodes; begins as one of: skypilot-trace "
        R"(({"metadata": {"gap_seconds": ...}, "data": [...]}); dime-log ([2020-03-15T10:07:33.000Z] )"
        R"(Created instance ...); parcae-trace ([0, "add", {"nodes": [...]}]); node-events )"
        "(480000,add,node1); node-counts (time_s,count)");
    AvailabilityOptions options;
    options.format = "skypilot";
    CHECK(supply_complaint("1,2\n", options) ==
          R"(a: unknown format "skypilot"; did you mean "skypilot-trace"?)");
}

} // namespace bursar::skypilot_trace_test
