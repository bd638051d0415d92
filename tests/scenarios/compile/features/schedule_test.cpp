#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/features/provisioning.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"

namespace bursar::schedule_test {
namespace {

/// One pool of 1 to 16 nodes, at least 10 on weekdays from 8 to 20.
Scenario scheduled(const std::string& zone) {
    PoolSpec pool = test::pool_spec("cloud", "H100", 16, 8);
    pool.purchase = Purchase::on_demand;
    pool.min_nodes = 1;
    pool.provisioning.schedule = ScheduleSpec{zone, {{0b1'1111, 8, 20, 10}}};
    return test::scenario_of({pool});
}

/// Hours, with the nodes from then on.
using Steps = std::vector<std::pair<double, std::uint32_t>>;

Steps steps(const Scenario& scenario, std::optional<std::int64_t> zero, Duration until) {
    std::vector<WorldEvent> events;
    add_schedule(scenario, 0, zero, until, events);
    Steps out;
    for (const WorldEvent& event : events) {
        REQUIRE(event.is<MinNodesChange>());
        out.emplace_back(static_cast<double>(event.time_ms) / 3.6e6,
                         event.as<MinNodesChange>().num_nodes);
    }
    return out;
}

/// The assumptions of its compilation.
std::vector<std::string> assumed(const Scenario& scenario, std::optional<std::int64_t> zero) {
    return provisioning_notes({scenario, builtin_catalogue(), zero}, {}).assumed;
}

} // namespace

TEST_CASE("a run without dates begins on a Monday at midnight of the schedule's zone") {
    const Steps two_days{{0, 1}, {8, 10}, {20, 1}, {32, 10}, {44, 1}};
    CHECK(steps(scheduled("UTC"), {}, 48 * hour) == two_days);
    CHECK(steps(scheduled("+08:00"), {}, 48 * hour) == two_days);
    const Steps week = steps(scheduled("UTC"), {}, 8 * day);
    CHECK(week.size() == 1 + 2 * 5 + 2);
    CHECK(week.back() == std::pair{7 * 24 + 20.0, 1U});
    CHECK(!assumed(scheduled("UTC"), {}).empty());
}

TEST_CASE("a run with dates follows the wall clock of the schedule's zone") {
    // 2017-10-06T10:30Z was a Friday.
    constexpr std::int64_t friday = 1'507'285'800'000;
    CHECK(steps(scheduled("UTC"), friday, 72 * hour) == Steps{{0, 10}, {9.5, 1}, {9.5 + 60, 10}});
    CHECK(steps(scheduled("+05:30"), friday, 72 * hour) == Steps{{0, 10}, {4, 1}, {64, 10}});
    CHECK(steps(scheduled("-12:00"), friday, 24 * hour) == Steps{{0, 1}, {9.5, 10}, {21.5, 1}});
    CHECK(assumed(scheduled("UTC"), friday).empty());
}

TEST_CASE("the clock of a named zone changes to summer time and back") {
    // Germany: on 2025-03-30, the last Sunday of March, 2:00 became 3:00, and 8:00 was 6:00 in UTC
    // from then on, not 7:00; 2025-10-26 had 25 hours.
    constexpr std::int64_t before_spring = 1'743'120'000'000; // 2025-03-28T00:00Z, a Friday
    CHECK(steps(scheduled("Europe/Berlin"), before_spring, 96 * hour) ==
          Steps{{0, 1}, {7, 10}, {19, 1}, {72 + 6, 10}, {72 + 18, 1}});
    constexpr std::int64_t before_autumn = 1'761'264'000'000; // 2025-10-24T00:00Z, a Friday
    CHECK(steps(scheduled("Europe/Berlin"), before_autumn, 96 * hour) ==
          Steps{{0, 1}, {6, 10}, {18, 1}, {72 + 7, 10}, {72 + 19, 1}});
    // Lord Howe Island changes by half an hour, from 11:00 to 10:30 ahead, on 2025-04-06 at 2:00.
    constexpr std::int64_t lord_howe = 1'743'724'800'000; // 2025-04-04T00:00Z, a Friday, 11:00
    CHECK(steps(scheduled("Australia/Lord_Howe"), lord_howe, 80 * hour) ==
          Steps{{0, 10}, {9, 1}, {48 + 21.5, 10}});
}

TEST_CASE("clocks of named zones are not changed in a run without dates") {
    CHECK(steps(scheduled("Europe/Berlin"), {}, 400 * day) ==
          steps(scheduled("UTC"), {}, 400 * day));
    CHECK(assumed(scheduled("Europe/Berlin"), {})[0].find("Monday at 0:00 Europe/Berlin") !=
          std::string::npos);
}

TEST_CASE("before 1970 weeks have seven days, too") {
    // 1969-12-29T00:00Z was a Monday.
    constexpr std::int64_t monday = -3 * 86'400'000LL;
    CHECK(steps(scheduled("UTC"), monday, 24 * hour) == Steps{{0, 1}, {8, 10}, {20, 1}});
}

TEST_CASE("nodes scheduled at the zero are up then, unless the scenario states the number") {
    Scenario scenario = scheduled("UTC");
    scenario.fleet[0].provisioning.schedule->rows[0].from = 0;
    const auto rule = [&] {
        return compile(scenario, builtin_catalogue(), test::trace_of({{0, 3600, 1}}))
            .plan.provisioning.at(0);
    };
    CHECK(rule().first_nodes == 10);
    CHECK(rule().follows_queue);
    scenario.fleet[0].provisioning.start = 3;
    scenario.fleet[0].provisioning.follows_queue = false;
    CHECK(rule().first_nodes == 3);
    CHECK(!rule().follows_queue);
}

} // namespace bursar::schedule_test
