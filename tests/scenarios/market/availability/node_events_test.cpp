#include <doctest/doctest.h>

#include "tests/scenarios/market/availability/read_availability.hpp"

namespace bursar::node_events_test {

using test::read_supply;
using test::supply_complaint;
using test::supply_notes;

TEST_CASE("Bamboo's list: milliseconds, names are used again, several go at once") {
    const AvailabilityFile file =
        read_supply("60000,add,node1\n60000,add,node2\n120000,remove,node1\n120000,remove,node2\n"
                    "180000,add,node1\n240000,remove,node1\n");
    CHECK(file.format == "node-events");
    CHECK(file.notes.empty());
    REQUIRE(file.supply.steps().size() == 4);
    CHECK(file.supply.steps()[0] == SupplyStep{60'000, 2});
    CHECK(file.supply.steps()[1] == SupplyStep{120'000, 0});
    CHECK(file.supply.end() == 4 * minute);
    CHECK(file.supply.node_ms() == int128{3} * minute.count());
}

TEST_CASE("another unit, and events out of order") {
    AvailabilityOptions options;
    options.unit = second;
    CHECK(read_supply("0,add,a\n60.5,remove,a\n", options).supply.end() == Duration{60'500});
    CHECK(supply_notes("0,add,a\n9,add,b\n5,remove,a\n") ==
          "a:3:1: times go back at line 3 (events are taken in the order of their times)\n");
    CHECK(read_supply("0,add,a\n9,add,b\n5,remove,a\n").supply.at(Duration{5}) == 0);
}

TEST_CASE("impossible events are refused with their place") {
    CHECK(supply_complaint("0,add,n1\n5,add,n1\n") ==
          R"(a:2:7: "n1" is added, and is there since line 1)");
    CHECK(supply_complaint("0,add,n1\n5,remove,n2\n") ==
          R"(a:2:10: "n2" is removed, and is not there)");
    CHECK(supply_complaint("0,add,n1\n-5,remove,n1\n") ==
          R"(a:2:1: time: "-5" is not a time of zero or above)");
    CHECK(supply_complaint("0,add,n1\n5,drop,n1\n") ==
          R"(a:2:3: "drop" is neither add nor remove)");
    CHECK(supply_complaint("0,add,n1\n5,remove\n") ==
          "a:2:9: not three fields (expected time, add or remove, name of the node)");
    CHECK(supply_complaint("0,add,n1\n") == "a: lasts for no time; give at least two instants");
}

TEST_CASE("Parcae's list: actions of its system are no events, the last minute counts") {
    const AvailabilityFile file =
        read_supply("[0, \"add\", {\"nodes\": [\"n0\", \"n1\"], \"duration\": 60000}]\n"
                    "[60000, \"no-op\", {\"nodes\": [], \"duration\": 60000}]\n"
                    "[120000, \"migration\", {\"nodes\": [\"n1\"], \"duration\": 60000}]\n"
                    "[180000, \"remove\", {\"nodes\": [\"n0\"], \"duration\": 60000}]\n");
    CHECK(file.format == "parcae-trace");
    CHECK(file.supply.end() == 4 * minute);
    CHECK(file.supply.node_ms() == int128{3 * 2 + 1} * minute.count());
}

TEST_CASE("a malformed line of Parcae is refused with its place") {
    const std::string first = "[0, \"add\", {\"nodes\": [\"n0\"]}]\n";
    CHECK(supply_complaint(first + "[5, \"gone\", {\"nodes\": []}]\n") ==
          R"(a:2:5: "gone" is no kind of event; one of: add, remove, no-op, migration)");
    CHECK(supply_complaint(first + "[5, \"remove\"]\n") ==
          "a:2:1: not a list of time, kind and details");
    CHECK(supply_complaint(first + "[5, \"remove\", {}]\n") ==
          "a:2:15: nodes: missing (which nodes come or go)");
    CHECK(supply_complaint(first + "[5, \"remove\", {\"nodes\": [\"n1\"]}]\n") ==
          R"(a:2:26: "n1" is removed, and is not there)");
    CHECK(supply_complaint(first + "[x, \"remove\", {\"nodes\": [\"n0\"]}]\n") ==
          R"(a:2:2: time: "x" is not a time of zero or above)");
    CHECK(supply_complaint(first + "[5, \"remove\", {\n").starts_with("a:2:"));
}

} // namespace bursar::node_events_test
