#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/features/prices.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"

namespace bursar::prices_test {
namespace {

constexpr std::int64_t zero_ms = 1'578'182'400'000; // 2020-01-05T00:00Z
constexpr std::int64_t day_ms = 86'400'000;

/// A pool of two nodes of 4 GPUs after one at a constant price. A machine's price is 8, 9 and 10
/// nano-USD per hour: from a day before 2020-01-05, from then, and from a day later on.
Scenario priced(PriceTimes times) {
    const std::int64_t first = times == PriceTimes::dated ? zero_ms - day_ms : 0;
    FilePrice price;
    price.file = "folder/prices.csv";
    price.times = times;
    price.steps = {{first, first + day_ms, first + 2 * day_ms}, {8, 9, 10}};
    price.end_ms = first + 3 * day_ms;
    price.where = {{"s.yaml", 7, 20}, "fleet.b.price.file"};
    Scenario scenario = test::scenario_of({test::pool_spec("a", "V100-SXM2-16GB", 1, 8),
                                           test::pool_spec("b", "V100-SXM2-16GB", 2, 4)});
    scenario.fleet[1].file_price = std::make_shared<const FilePrice>(std::move(price));
    return scenario;
}

Compiled compiled(const Scenario& scenario, std::optional<std::int64_t> zero_utc_ms) {
    Trace trace = test::trace_of({{0, 3600, 4}});
    trace.zero_utc_ms = zero_utc_ms;
    return compile(scenario, builtin_catalogue(), trace);
}

} // namespace

TEST_CASE("dated prices become steps since the zero, each rounded to a GPU's share") {
    const Compiled plan = compiled(priced(PriceTimes::dated), zero_ms);
    const PlanPool& pool = plan.plan.pools[1];
    CHECK_FALSE(plan.plan.pools[0].has_series());
    REQUIRE(pool.has_series());
    const PriceIntegral price = plan.plan.prices.of(pool.price_series);
    CHECK(price.rate_at(Duration{-1}) == MoneyRate{2}); // 8 / 4
    CHECK(price.rate_at(Duration{0}) == MoneyRate{2});  // 9 / 4, half up
    CHECK(price.rate_at(day) == MoneyRate{3});          // 10 / 4, half up
    CHECK(price.between(Duration{}, 2 * day).count() == (2 + 3) * day_ms);
    CHECK(price.next_step(Duration{}, Duration{-7}) == day);
}

TEST_CASE("prices without dates begin with the run, which is noted") {
    const Scenario scenario = priced(PriceTimes::relative);
    const Compiled plan = compiled(scenario, zero_ms);
    CHECK(plan.plan.prices.of(plan.plan.pools[1].price_series).next_step({}, {}) == day);
    CHECK(run_notes_of_prices(scenario, plan.plan, {}, day).assumed ==
          std::vector<std::string>{"pool b: prices.csv begins to count time with the run"});
}

TEST_CASE("a run outside the times of a price file is noted with the dates") {
    const Scenario scenario = priced(PriceTimes::dated);
    const auto assumed = [&](std::int64_t zero, Duration end) {
        return run_notes_of_prices(scenario, compiled(scenario, zero).plan, zero, end).assumed;
    };
    const std::string of_pool = "pool b: prices.csv ";
    CHECK(assumed(zero_ms, 2 * day).empty());
    CHECK(assumed(zero_ms, 2 * day + millisecond) ==
          std::vector<std::string>{of_pool + "ends 2020-01-07 00:00:00Z, before the run does: from "
                                             "then on its last price is taken"});
    CHECK(assumed(zero_ms - 2 * day_ms, 2 * day) ==
          std::vector<std::string>{of_pool + "begins 2020-01-04 00:00:00Z, 24 h after the run: "
                                             "until then its first price is taken"});
    CHECK(assumed(zero_ms + 2 * day_ms, day) ==
          std::vector<std::string>{of_pool + "ends 2020-01-07 00:00:00Z, before the run begins: "
                                             "its last price is taken throughout"});
}

TEST_CASE("a run that lies mostly outside the times of a price file is warned of") {
    const auto warnings = [](const Scenario& scenario, std::int64_t zero, Duration end) {
        return run_notes_of_prices(scenario, compiled(scenario, zero).plan, zero, end).warnings;
    };
    const Scenario scenario = priced(PriceTimes::dated);
    CHECK(warnings(scenario, zero_ms, 4 * day).empty()); // half of it
    CHECK(warnings(scenario, zero_ms, 8 * day) ==
          std::vector<std::string>{
              "s.yaml:7:20: fleet.b.price.file: prices.csv covers 25 % of the run (it goes from "
              "2020-01-04 00:00:00Z to 2020-01-07 00:00:00Z, the run from 2020-01-05 00:00:00Z to "
              "2020-01-13 00:00:00Z: the last price holds for 75 % of the run); give `from`, the "
              "time in the file at which the run begins"});
    CHECK(warnings(scenario, zero_ms - 10 * day_ms, 2 * day) ==
          std::vector<std::string>{
              "s.yaml:7:20: fleet.b.price.file: prices.csv and the run do not overlap (it goes "
              "from 2020-01-04 00:00:00Z to 2020-01-07 00:00:00Z, the run from 2019-12-26 "
              "00:00:00Z to 2019-12-28 00:00:00Z: the first price holds throughout); give `from`, "
              "the time in the file at which the run begins"});
    const std::vector<std::string> relative =
        warnings(priced(PriceTimes::relative), zero_ms, 30 * day);
    REQUIRE(relative.size() == 1);
    CHECK(relative[0].ends_with("(it goes from hour 0 to hour 72, the run from hour 0 to hour 720: "
                                "the last price holds for 90 % of the run)"));
}

TEST_CASE("a run begins at the time `from` of a price file, for any date") {
    Scenario scenario = priced(PriceTimes::dated);
    FilePrice price = *scenario.fleet[1].file_price;
    price.from = day;
    scenario.fleet[1].file_price = std::make_shared<const FilePrice>(price);
    for (const std::optional<std::int64_t> zero :
         {std::optional<std::int64_t>{}, std::optional{zero_ms + 900 * day_ms}}) {
        const Compiled plan = compiled(scenario, zero);
        const PriceIntegral series = plan.plan.prices.of(plan.plan.pools[1].price_series);
        CHECK(series.next_step(Duration{}, Duration{-7}) == day);
        CHECK(series.rate_at(day) == MoneyRate{3});
        CHECK(run_notes_of_prices(scenario, plan.plan, zero, 2 * day).warnings.empty());
        CHECK(run_notes_of_prices(scenario, plan.plan, zero, 2 * day).assumed.empty());
    }
}

TEST_CASE("spot prices that are constant during a run are listed as not modelled") {
    Scenario scenario = priced(PriceTimes::dated);
    scenario.fleet[1].purchase = Purchase::spot;
    const auto unmodelled = [&](std::int64_t zero) {
        return run_notes_of_prices(scenario, compiled(scenario, zero).plan, zero, day).unmodelled;
    };
    CHECK(unmodelled(zero_ms - day_ms / 2).empty());
    CHECK(unmodelled(zero_ms + 5 * day_ms) ==
          std::vector<std::string>{"pool b: price changes of spot capacity (that of prices.csv is "
                                   "the same all through the run)"});
}

TEST_CASE("dated prices need a workload with dates") {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(compiled(priced(PriceTimes::dated), std::nullopt)),
        "s.yaml:7:20: fleet.b.price.file: prices.csv is dated, and the workload is not (the "
        "day on which the run begins is not specified); give workload.trace.start, price.from, or "
        "prices by "
        "seconds since the begin",
        ScenarioError);
}

TEST_CASE(
    "brokers follow the market price, whatever is paid and whether nodes are launched or not") {
    // The market price falls below that of the other pool after a day.
    Scenario scenario = priced(PriceTimes::relative);
    FilePrice price = *scenario.fleet[1].file_price;
    price.steps.rate = {16, 8, 8};
    scenario.policy.broker = "cheapest-now";
    for (PoolSpec& pool : scenario.fleet) {
        pool.purchase = Purchase::on_demand;
        pool.rate = MoneyRate{3};
    }
    const auto second_first_from = [&] {
        const Plan plan = compiled(scenario, std::nullopt).plan;
        CHECK(plan.pool_preference == std::vector<std::uint16_t>{0, 1});
        REQUIRE(plan.world.size() == 1);
        REQUIRE(plan.world[0].is<OrderChange>());
        return plan.world[0].time_ms;
    };
    for (const PaidPrice paid : {PaidPrice::market, PaidPrice::at_launch}) {
        price.paid = paid;
        scenario.fleet[1].file_price = std::make_shared<const FilePrice>(price);
        scenario.fleet[1].min_nodes.reset();
        CHECK(second_first_from() == day_ms);
        scenario.fleet[1].min_nodes = scenario.fleet[1].nodes;
        CHECK(second_first_from() == day_ms);
    }
    // What is paid is the price at the zero.
    scenario.fleet[1].min_nodes.reset();
    const Plan plan = compiled(scenario, std::nullopt).plan;
    CHECK(plan.prices.of(plan.pools[1].price_series).rate_at(2 * day) == MoneyRate{4});
}

} // namespace bursar::prices_test
