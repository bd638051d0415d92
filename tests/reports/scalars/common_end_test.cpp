#include <string>

#include <doctest/doctest.h>

#include "reports/scalars/common_end.hpp"

namespace bursar::common_end_test {
namespace {

/// A run that ends after an hour, with a reserved GPU at 1 USD an hour in steps of two hours.
RunEnding one_hour() {
    return {hour, true, {}, {{Purchase::reserved, 1, MoneyRate{nano_usd_per_usd}, 2 * hour}}};
}

} // namespace

TEST_CASE("kept capacity is paid for from a run's own end to the common one") {
    CommonEnds ends;
    ends.add(7, one_hour());
    CHECK(ends.cost_past(7, one_hour()) == 0);
    ends.add(7, {5 * hour, true, {}, {}});
    CHECK(ends.of(7) == 5 * hour);
    CHECK(ends.cost_past(7, one_hour()) == 4); // steps until 2 h and until 6 h
    CHECK(ends.cost_to(7, one_hour(), 10.0) == 14);
    RunEnding run = one_hour();
    run.by_itself = false;
    CHECK(ends.cost_past(7, run) == 0);
    run = one_hour();
    run.kept[0].rate.reset();
    CHECK_FALSE(ends.cost_past(7, run));
}

TEST_CASE("a bill that ends by itself has no rest of a step, and no time after its end") {
    CommonEnds ends;
    ends.add(7, {5 * hour, true, {}, {}});
    RunEnding run = one_hour();
    run.measured_to = 4 * hour;
    CHECK(ends.cost_past(7, run) == 3);
    run.measured_to = 30 * minute;
    CHECK(ends.cost_past(7, run) == 0);
}

TEST_CASE("the first place at which the other cost ranks differently is named") {
    const std::string text = other_ranking({{"a", 1, 1}, {"b", 2, 4}, {"c", 3, 3}}, false);
    CHECK(text ==
          "the cost to the common end ranks differently from place 2 on: \"c\" has 3.00 USD, "
          "\"b\" 4.00 USD; --common-end ranks by it");
    CHECK(other_ranking({{"a", 1, 1}, {"b", 2, 2}}, false).empty());
}

} // namespace bursar::common_end_test
