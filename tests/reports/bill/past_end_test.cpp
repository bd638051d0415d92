#include <doctest/doctest.h>

#include "reports/bill/burn_rate.hpp"
#include "reports/bill/past_end.hpp"
#include "reports/bill/pool_cost.hpp"

namespace bursar::test::past_end_test {
namespace {

Money usd(std::int64_t dollars) {
    return MoneyRate{nano_usd_per_usd} * slot_time(dollars * slots_per_gpu, hour);
}

/// A reserved GPU and an on-demand one at 1 USD an hour each, both idle for 10 h; the term of the
/// reserved one ends 5 h later.
Result two_pools() {
    Result result;
    result.end = result.window_end = 10 * hour;
    for (const Purchase purchase : {Purchase::reserved, Purchase::on_demand}) {
        ResultPool& pool = result.pools.emplace_back();
        pool.name = purchase == Purchase::reserved ? "r" : "d";
        pool.purchase = purchase;
        pool.num_nodes = pool.gpus_per_node = 1;
        pool.price = PoolPrice{MoneyRate{nano_usd_per_usd}};
    }
    const auto add = [&](std::uint32_t pool, Leaf leaf, std::int64_t hours) {
        result.cells.push_back(
            {pool, {}, leaf, slot_time(slots_per_gpu, Duration{hours * hour.count()}), usd(hours)});
    };
    add(0, Leaf::unavail_reserved_unlaunched, 5);
    add(0, Leaf::idle_no_demand, 10);
    add(1, Leaf::idle_no_demand, 10);
    return result;
}

} // namespace

TEST_CASE("costs that depend on the end of a run, in dollars") {
    const PastEnd past = past_end(two_pools(), {.last_submit = 6 * hour});
    CHECK(past.total == usd(25));
    CHECK(past.rest_of_terms == usd(5));
    CHECK(past.term_pools == std::vector<std::string>{"r"});
    CHECK(past.rest_of_steps == Money{});
    CHECK(past.drain == usd(8)); // both, from 6 h to 10 h
    CHECK(past.drain_time == 4 * hour);
    CHECK(
        past_end_warnings(past) ==
        std::vector<std::string>{
            "5.00 USD of the total (20.0 %) pays for the rest of terms of pool r after the end of "
            "the run; `term: amortised` charges the run's share",
            "8.00 USD of the total (32.0 %) pays for capacity that is there whether needed or not, "
            "in the 4 h from the last submit to the end of the last job; `until: last-submit` ends "
            "the run before"});
}

TEST_CASE("costs other than GPU time are part of the total") {
    Result result = two_pools();
    result.run.other_costs.push_back({"storage", usd(3)});
    CHECK(past_end(result, {}).total == usd(28));
}

TEST_CASE("unneeded nodes of a range are part of the drain, and none are kept for other pools") {
    Result result = two_pools();
    result.pools[0].num_nodes = 4;
    result.pools[0].nodes = ResultNodes{.is_range = true, .least = 0, .most = 4};
    const std::int64_t ms = hour.count();
    RunEnds ends{.last_submit = 6 * hour};
    CHECK(past_end(result, ends).drain == usd(4)); // the other pool
    ends.standing = {{0, 3, 2 * ms, 7 * ms}, {0, 1, 7 * ms, 9 * ms}};
    CHECK(past_end(result, ends).drain == usd(4 + 3 + 2));
    result.window_begin = 390 * minute;
    result.pools[0].price = PoolPrice{{{0, 7 * ms}, {2 * nano_usd_per_usd, 5 * nano_usd_per_usd}}};
    CHECK(past_end(result, ends).drain.count() * 2 == usd(7 + 6 + 20).count());
}

TEST_CASE("the measured window limits the costs that depend on the end") {
    Result result = two_pools();
    result.window_begin = 7 * hour;
    result.window_end = 9 * hour;
    const PastEnd past = past_end(result, {.last_submit = 6 * hour});
    CHECK(past.drain == usd(4));
    CHECK(past.drain_time == 2 * hour); // of 4 h
    const std::vector<std::string> warnings = past_end_warnings(past);
    REQUIRE(warnings.size() == 2); // the rest of the term, and this
    CHECK(warnings[1].find("in the 2 h that the bill covers from the last submit to the end of "
                           "the last job") != std::string::npos);
}

TEST_CASE("the rest of a term and the rest of a billing step are reported separately") {
    Result result = two_pools();
    result.cells.push_back(
        {1, {}, Leaf::unavail_reserved_unlaunched, slot_time(slots_per_gpu, 2 * hour), usd(2)});
    const PastEnd past = past_end(result, {});
    CHECK(past.rest_of_terms == usd(5));
    CHECK(past.rest_of_steps == usd(2));
    CHECK(past_end_warnings(mean_of(std::vector{past, past})) ==
          std::vector<std::string>{
              "5.00 USD of the total (18.5 %) pays for the rest of terms of pool r after the end "
              "of the run; `term: amortised` charges the run's share",
              "2.00 USD of the total (7.4 %) pays for the rest of billing steps of pool d after "
              "the end of the run or of a node"});
}

TEST_CASE("no drain if the scenario ends the run, or if all jobs are submitted at the begin") {
    CHECK(past_end(two_pools(), {}).drain == Money{});
    CHECK(past_end(two_pools(), {.last_submit = Duration{}}).drain == Money{});
}

TEST_CASE("5 % of the total is not reported, more is") {
    PastEnd past;
    past.total = usd(100);
    past.rest_of_steps = usd(5);
    past.step_pools = {"d", "e"};
    CHECK(past_end_warnings(past).empty());
    CHECK(past_end_warnings(PastEnd{}).empty());
    past.rest_of_steps += Money{1};
    CHECK(past_end_warnings(past) ==
          std::vector<std::string>{"5.00 USD of the total (5.0 %) pays for the rest of billing "
                                   "steps of pools d, e after the end of the run or of a node"});
}

TEST_CASE("the largest share of the variants is reported, or the share of all") {
    PastEnd small;
    small.total = usd(100);
    small.drain = usd(10);
    small.rest_of_terms = usd(20);
    PastEnd large = small;
    large.drain = usd(30);
    const auto warnings = past_end_warnings(std::vector{small, large});
    REQUIRE(warnings.size() == 2);
    REQUIRE(warnings[0].size() == 1);
    REQUIRE(warnings[1].size() == 2);
    CHECK(warnings[1][1].find("30.00 USD of the total (30.0 %, the largest share of all variants) "
                              "pays for capacity") == 0);
    CHECK(warnings[0][0].find("20.00 USD of the total (20.0 %) pays for the rest of terms") == 0);
    CHECK(warnings[1][0] == warnings[0][0]);
}

TEST_CASE("over seeds the means are reported") {
    PastEnd none;
    none.total = usd(100);
    PastEnd some = none;
    some.drain = usd(40);
    some.drain_time = 4 * hour;
    const PastEnd mean = mean_of(std::vector{none, some});
    CHECK(mean.total == usd(100));
    CHECK(mean.drain == usd(20));
    CHECK(mean.drain_time == 2 * hour);
}

TEST_CASE("the mean rate is the payment in the window, without the rest of a term after it") {
    Result result = two_pools();
    const auto burn = burn_rate(result);
    REQUIRE(burn);
    CHECK(burn->mean_cents == 200);
    CHECK(burn->p95_cents == 200);
    // For a range it includes the billing steps of nodes that ended in the window.
    result.pools[0].nodes = ResultNodes{.is_range = true, .least = 0, .most = 1};
    CHECK(burn_rate(result)->mean_cents == 250);
}

TEST_CASE("a price that varies is counted at its current value") {
    Result result = two_pools();
    const std::int64_t usd_per_hour = nano_usd_per_usd;
    result.pools[1].price = PoolPrice{
        {{0, (9 * hour).count()}, {usd_per_hour, 3 * usd_per_hour}}}; // a tenth of the window
    CHECK(burn_rate(result)->p95_cents == 400);
    result.pools[1].price =
        PoolPrice{{{0, (570 * minute).count()}, {usd_per_hour, 3 * usd_per_hour}}}; // 1 part in 20
    CHECK(burn_rate(result)->p95_cents == 200);
    // Both change at once: 1 + 3 in the first half, 5 + 1 in the second.
    const std::int64_t noon = (5 * hour).count();
    result.pools[0].price = PoolPrice{{{0, noon}, {usd_per_hour, 5 * usd_per_hour}}};
    result.pools[1].price = PoolPrice{{{0, noon}, {3 * usd_per_hour, usd_per_hour}}};
    CHECK(burn_rate(result)->p95_cents == 600);
    result.window_end = Duration{noon};
    CHECK(burn_rate(result)->p95_cents == 400);
}

TEST_CASE("the rates are those of the window, which may begin after the run") {
    Result result = two_pools();
    result.window_begin = 2 * hour;
    result.window_end = 12 * hour;
    // From 5 h to 11.5 h both cost 4 USD/h, and more for a twentieth of the window.
    constexpr std::int64_t usd_per_hour = nano_usd_per_usd;
    const std::int64_t half_hour = (30 * minute).count();
    result.pools[1].price = PoolPrice{
        {{0, 2 * half_hour, 10 * half_hour, 23 * half_hour, 26 * half_hour},
         {7 * usd_per_hour, usd_per_hour, 3 * usd_per_hour, 9 * usd_per_hour, usd_per_hour}}};
    CHECK(burn_rate(result)->mean_cents == 200);
    CHECK(burn_rate(result)->p95_cents == 400);
    result.window_end += Duration{1};
    CHECK(burn_rate(result)->p95_cents == 1000);
}

TEST_CASE("nodes that are not there are not paid for") {
    Result result;
    result.end = 4 * hour;
    result.window_begin = hour;
    result.window_end = 3 * hour;
    ResultPool& pool = result.pools.emplace_back();
    pool.num_nodes = 2;
    pool.gpus_per_node = 1;
    pool.price = PoolPrice{MoneyRate{2 * nano_usd_per_usd}};
    PoolCost cost = costs_of(result).front();
    cost.note_off(30 * minute, slots_per_gpu);
    CHECK(cost.since_begin() == usd(2));
    CHECK(cost.in_window() == Money{});
    CHECK(cost.per_hour() == usd(2));
    cost.note_off(2 * hour, 0);
    CHECK(cost.since_begin() == usd(5));
    CHECK(cost.in_window() == usd(2));
    CHECK(cost.per_hour() == usd(4));
    cost.advance_to(4 * hour);
    CHECK(cost.since_begin() == usd(13));
    CHECK(cost.in_window() == usd(6));
}

TEST_CASE("costs that depend on the end follow the price of that time") {
    Result result = two_pools();
    result.pools[0].price =
        PoolPrice{{{0, (9 * hour).count()}, {nano_usd_per_usd, 3 * nano_usd_per_usd}}};
    CHECK(past_end(result, {.last_submit = 6 * hour}).drain == usd(4 + 3 + 3));
}

} // namespace bursar::test::past_end_test
