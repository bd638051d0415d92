#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/compile.hpp"
#include "scenarios/compile/world/price_plan.hpp"

#include "tests/scenarios/compile/made_scenario.hpp"

namespace bursar::price_plan_test {
namespace {

constexpr std::int64_t zero_ms = 1'578'182'400'000; // 2020-01-05T00:00Z
constexpr std::int64_t day_ms = 86'400'000;

/// A pool of two nodes of 4 GPUs after one at a constant price; a machine's price is 8, 9 and 10
/// nano-USD per hour from a day before 2020-01-05, from then, and from a day later on.
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

TEST_CASE("dated prices become steps since the zero, a GPU's share each rounded by itself") {
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

TEST_CASE("prices without dates begin with the run, which is said") {
    const Scenario scenario = priced(PriceTimes::relative);
    const Compiled plan = compiled(scenario, zero_ms);
    CHECK(plan.plan.prices.of(plan.plan.pools[1].price_series).next_step({}, {}) == day);
    CHECK(assumed_prices(scenario, plan.plan, day) ==
          std::vector<std::string>{"pool b: prices.csv begins to count time with the run"});
}

TEST_CASE("a run outside the times of a price file is told with the dates") {
    const Scenario scenario = priced(PriceTimes::dated);
    const auto assumed = [&](std::int64_t zero, Duration end) {
        return assumed_prices(scenario, compiled(scenario, zero).plan, end);
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

TEST_CASE("dated prices need a workload with dates") {
    CHECK_THROWS_WITH_AS(
        static_cast<void>(compiled(priced(PriceTimes::dated), std::nullopt)),
        "s.yaml:7:20: fleet.b.price.file: prices.csv is dated, and the workload is not (nobody "
        "says what day the run begins); give workload.trace.start, or prices by seconds since the "
        "begin",
        ScenarioError);
}

} // namespace bursar::price_plan_test
