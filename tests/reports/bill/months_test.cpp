#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/months.hpp"
#include "reports/bill/printed_bill.hpp"

#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/random_bill.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/run_files.hpp"

namespace bursar::test::months_test {
namespace {

const PolicyChoice choice{"fifo", HeadRule::skip, "nodes", "first-fit"};

/// The ledger without time billed past the end of the run or of a node.
MonthShare in_ledger(const Result& result) {
    MonthShare sum;
    for (const ResultCell& cell : result.cells)
        if (cell.leaf != Leaf::unavail_reserved_unlaunched) {
            sum.held += cell.held;
            sum.cost += cell.cost;
        }
    return sum;
}

/// The ledger of [begin, end) alone, within the window of the plan.
MonthShare in_ledger_between(Plan plan, Duration begin, Duration end) {
    const Duration own_end = plan.measure_to.value_or(end);
    plan.measure_from = std::max(plan.measure_from, begin);
    plan.measure_to = std::max(plan.measure_from, std::min(own_end, end));
    return in_ledger(result_of(plan, choice));
}

/// Nodes come and go, prices vary, and the bill covers a part.
Plan draw_plan_of_months() {
    Plan plan = draw_plan({.max_pools = 3, .max_jobs = 15});
    plan.world = draw_world(plan);
    draw_fleet(plan);
    if (drawn::boolean())
        give_prices(plan);
    if (drawn::boolean())
        plan.measure_from = Duration{drawn::in_range(0, 20'000)};
    return plan;
}

} // namespace

TEST_CASE("the first month is that in which the bill begins") {
    Result result;
    result.zero_utc_ms = 1'706'659'200'000; // 2024-01-31
    result.window_begin = 2 * day;
    result.end = result.window_end = 3 * day;
    const std::vector<MonthShare> months = month_shares(result);
    REQUIRE(months.size() == 1);
    CHECK(months[0].name == "2024-02");
    result.window_begin = {};
    result.end = result.window_end = day; // the month that begins then has nothing
    REQUIRE(month_shares(result).size() == 1);
    CHECK(month_shares(result)[0].name == "2024-01");
}

TEST_CASE("months equal the ledger of their time, also if nodes come and go") {
    CHECK(
        check_property("each is the bill of that time alone, and they add up to what is paid", [] {
            const Plan plan = draw_plan_of_months();
            Result result = result_of(plan, choice);
            std::vector<Duration> cuts{Duration{}};
            while (cuts.back() < result.end)
                cuts.push_back(cuts.back() + Duration{drawn::in_range(1'000, 40'000)});
            for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
                result.run.months.push_back({std::to_string(i), cuts[i], cuts[i + 1]});
            const std::vector<MonthShare> months = month_shares(result);
            RC_ASSERT(months.size() >= result.run.months.size());
            MonthShare sum;
            for (std::size_t i = 0; i < result.run.months.size(); ++i) {
                const MonthShare alone = in_ledger_between(plan, cuts[i], cuts[i + 1]);
                RC_ASSERT(months[i].held == alone.held);
                RC_ASSERT(months[i].cost == alone.cost);
                sum.held += months[i].held;
                sum.cost += months[i].cost;
            }
            RC_ASSERT(sum.held == in_ledger(result).held);
            RC_ASSERT(sum.cost == in_ledger(result).cost);
        }));
}

TEST_CASE("the bill of a month adds up to its share, whenever the run begins and ends") {
    CHECK(check_property("that is without what is billed past the end", [] {
        const Plan plan = draw_plan_of_months();
        Result result = result_of(plan, choice);
        const PeriodColumns& periods = result.periods;
        if (periods.size() == 0)
            return;
        // The first month begins with the first period, before it, or with the run.
        Duration begin = drawn::one_of(periods.origin, -20 * second, Duration{});
        for (Duration end = periods.origin; begin < result.end; begin = end) {
            end += drawn::in_range(1, 4) * periods.width;
            result.run.months.push_back({std::to_string(begin.count()), begin, end});
        }
        const std::vector<MonthShare> months = month_shares(result);
        RC_ASSERT(months.size() >= result.run.months.size());
        for (std::size_t i = 0; i < result.run.months.size(); ++i) {
            const LeafSums sums = leaf_sums(bill_of_month(result, months[i].name, "r.json"));
            RC_ASSERT(sums.paid() == months[i].held);
            RC_ASSERT(sums.paid_cost() == months[i].cost);
        }
    }));
}

TEST_CASE("the bill of a month has what saves cost in an hour without their time") {
    Result result;
    result.zero_utc_ms = 0;
    result.end = result.window_end = 2 * hour;
    result.run.months = {{"first", Duration{}, hour}, {"second", hour, 2 * hour}};
    ResultPool& pool = result.pools.emplace_back();
    pool.name = "p";
    pool.num_nodes = pool.gpus_per_node = 1;
    pool.price = PoolPrice{PriceSeries{{0, hour.count()}, {1, 3}}};
    const auto held = [](Duration time) { return slot_time(slots_per_gpu, time); };
    result.tenants = {"t"};
    result.cells = {{0, 0, Leaf::prod_useful, held(hour), Money{10}},
                    {0, 0, Leaf::over_checkpoint, held(hour), Money{7}}};
    PeriodColumns& periods = result.periods;
    periods.width = hour;
    periods.bucket = {0, 1, 1}; // share_saves() moved cost, but no time, to the save of hour 1
    periods.cell = {1, 0, 1};
    periods.slot_ms = {static_cast<std::uint64_t>(held(hour).count()),
                       static_cast<std::uint64_t>(held(hour).count()),
                       0};
    periods.cost_high = {0, 0, 0};
    periods.cost_low = {5, 10, 2};
    const LeafSums first = leaf_sums(bill_of_month(result, "first", "r.json"));
    const LeafSums second = leaf_sums(bill_of_month(result, "second", "r.json"));
    CHECK(first.paid_cost() == Money{5});
    CHECK(second.paid_cost() == Money{12});
    CHECK(second.paid() == held(hour));
    CHECK(part_hours(result, print_bill(result)) == std::vector<int128>{1'000'000, 1'000'000, 0});
}

TEST_CASE("a bill may begin and end in the middle of the hours that it is divided by") {
    Result result;
    result.zero_utc_ms = 0;
    result.end = 2 * hour;
    result.window_begin = 30 * minute;
    result.window_end = 90 * minute;
    result.run.months = {{"first", 30 * minute, hour}, {"second", hour, 90 * minute}};
    ResultPool& pool = result.pools.emplace_back();
    pool.num_nodes = pool.gpus_per_node = 1;
    result.cells = {{0, {}, Leaf::idle_no_demand, slot_time(slots_per_gpu, hour), {}}};
    const std::int64_t half = slot_time(slots_per_gpu, 30 * minute).count();
    PeriodColumns& periods = result.periods;
    periods.width = hour;
    periods.bucket = {0, 1};
    periods.cell = {0, 0};
    periods.slot_ms.assign(2, static_cast<std::uint64_t>(half));
    for (const char* const month : {"first", "second"})
        CHECK(leaf_sums(bill_of_month(result, month, "r.json")).paid() == SlotTime{half});
}

TEST_CASE("without a record of when nodes came and went, no month is known") {
    Result result;
    result.end = result.window_end = 10 * hour;
    result.run.months = {{"2017-10", Duration{}, 20 * hour}};
    result.pools.push_back({"p", "T4", "", Purchase::spot, 1, 1, PoolPrice{MoneyRate{1}}});
    result.pools[0].nodes = ResultNodes{.is_range = true};
    // The payment covers the whole pool, but a part of it is not for time of the run.
    for (const auto& [leaf, hours] :
         {std::pair{Leaf::unavail_reserved_unlaunched, 1}, std::pair{Leaf::idle_no_demand, 9}}) {
        const SlotTime held = slot_time(slots_per_gpu, hours * hour);
        result.cells.push_back({0, std::nullopt, leaf, held, MoneyRate{1} * held});
    }
    CHECK(month_shares(result).empty());
    result.pools[0].nodes.reset();
    CHECK(month_shares(result).size() == 1);
}

} // namespace bursar::test::months_test
