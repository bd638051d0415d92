#include <doctest/doctest.h>

#include "tests/scenarios/market/availability/read_availability.hpp"

namespace bursar::dime_log_test {

using test::read_supply;
using test::supply_complaint;
using test::supply_notes;

constexpr std::string_view log =
    "[2020-03-15T10:00:00.000Z] Created instance i-1 with 8 GPU(s) of type v100 in zone "
    "us-east-1b\n"
    "[2020-03-15T10:00:10.000Z] Instance with 8 GPU(s) of type k80 creation failed\n"
    "[2020-03-15T10:10:00.000Z] Instance i-1 running in zone us-east-1b\n"
    "[2020-03-15T10:10:05.000Z] Created instance i-2 with 1 GPU(s) of type k80 in zone us-east-1c\n"
    "[2020-03-15T10:10:06.000Z] Instance i-2 not running in zone us-east-1c\n"
    "[2020-03-15T11:00:00.000Z] Instance i-1 not running in zone us-east-1b\n"
    "[2020-03-15T11:00:05.000Z] Successfully deleted instance i-1\n"
    "[2020-03-15T12:00:00.000Z] Created instance i-1 with 8 GPU(s) of type v100 in zone "
    "us-east-1b\n"
    "[2020-03-15T13:00:00.000Z] Instance i-1 running in zone us-east-1b\n";

TEST_CASE("an instance is up from its creation until a check finds it gone") {
    AvailabilityOptions options;
    options.zone = "us-east-1b";
    const AvailabilityFile file = read_supply(log, options);
    CHECK(file.format == "dime-log");
    CHECK(file.dated);
    CHECK(file.notes.empty());
    CHECK(file.supply.begin() == Duration{1'584'266'400'000});
    CHECK(file.supply.length() == 3 * hour);
    CHECK(file.supply.node_ms() == int128{2} * hour.count());
    REQUIRE(file.supply.steps().size() == 3);
    CHECK(file.supply.at(file.supply.begin() + hour) == 0);
}

TEST_CASE("gone at the first check: a failed launch; several kinds at once are noted") {
    const AvailabilityFile file = read_supply(log);
    CHECK(file.supply.max_nodes() == 1);
    CHECK(supply_notes(log) ==
          "a: 1 of 3 instances are taken as launches that failed (they were gone within a minute, "
          "when first looked at)\n"
          "a: 2 kinds of instances are counted together (1 x k80 in us-east-1c, 8 x v100 in "
          "us-east-1b); choose with zone, gpu and gpus\n");
}

TEST_CASE("a kind that is not in the log, and lines of another file") {
    AvailabilityOptions options;
    options.gpu = "a100";
    CHECK(
        supply_complaint(log, options) ==
        "a: no instance of that kind (the log has 1 x k80 in us-east-1c, 8 x v100 in us-east-1b)");
    CHECK(supply_complaint("[2020-03-15T10:00:10.000Z] hello\n") ==
          "a:1:28: not a line of such a log");
    CHECK(supply_complaint("[2020-03-15T10:00:10.000Z] Instance x creation failed\n2020\n") ==
          "a:2:1: no time stamp in brackets (expected [2020-03-15T10:07:33Z])");
    CHECK(supply_complaint("[2020-03-15T10:00:10.000Z] Instance x creation failed\n") ==
          "a: no instance was ever created");
}

} // namespace bursar::dime_log_test
