#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "reports/bill/budgets.hpp"
#include "reports/bill/leaf_sums.hpp"
#include "reports/bill/spend_curve.hpp"
#include "reports/errors/report_error.hpp"
#include "reports/result/saved_result.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/agreement/random_world.hpp"
#include "tests/policies/properties/every_choice.hpp"
#include "tests/policies/properties/random_fleet.hpp"
#include "tests/policies/properties/random_plan.hpp"
#include "tests/properties.hpp"
#include "tests/reports/support/run_files.hpp"

namespace bursar::test::budgets_test {
namespace {

Money usd(std::int64_t whole) {
    return MoneyRate{whole * nano_usd_per_usd} * SlotTime{slot_ms_per_gpu_hour};
}

/// Two GPUs for 150 s: a dollar a second each until 60 s, then two. A job holds one for 100 s.
Result spent() {
    Plan plan = plan_of({{0, 100}}, {pool_of(1, 2)});
    plan.until = 150 * second;
    plan.pools[0].price_series = static_cast<std::uint16_t>(
        plan.prices.add({{0, 60'000}, {3600 * nano_usd_per_usd, 7200 * nano_usd_per_usd}}));
    return result_of(plan, {"fifo", HeadRule::block, "count"}); // 120 + 360 USD
}

std::string written(const Result& result, std::string_view output) {
    StringSink sink;
    find_output(output)->write(result, {}, sink);
    return sink.text();
}

} // namespace

TEST_CASE("a budget is exceeded at the first millisecond that passes its limit") {
    Result result = spent();
    result.run.budgets = {{.name = "exact", .limit = usd(120)},
                          {.name = "enough", .limit = usd(480)},
                          {.name = "late", .limit = usd(300)}};
    const auto outcomes = budget_outcomes(result);
    CHECK(outcomes[0].periods[0].spent == usd(480));
    CHECK(outcomes[0].periods[0].exceeded_at == Duration{60'001}); // 120 USD at 60 s, not more
    CHECK_FALSE(outcomes[1].is_exceeded());
    CHECK(outcomes[2].periods[0].exceeded_at == Duration{105'001}); // 120 + 45 s x 4
    const std::string table = written(result, "table");
    CHECK(table.find("budget alert: exact: 480.00 of 120.00 USD spent, exceeded 0.0 h") !=
          std::string::npos);
    CHECK(table.find("  budget: enough: 480.00 of 480.00 USD spent\n") != std::string::npos);
    CHECK(written(result, "markdown").find("- budget alert: late: ") != std::string::npos);
    CHECK(written(result, "json").find(R"("exceeded_at": 105.001)") != std::string::npos);
}

TEST_CASE("a limit that is reached and not passed is not exceeded") {
    const Result result = spent();
    const SpendCurve curve = SpendCurve::of_pools(result, {});
    CHECK_FALSE(curve.exceeds(usd(480), Duration{}, result.end));
    CHECK(curve.exceeds(usd(479), Duration{}, result.end));
}

TEST_CASE("what a span costs is highest a span after a dear stretch begins") {
    Plan plan = plan_of({{0, 1}}, {pool_of(1, 1)});
    plan.until = 40 * second;
    constexpr std::int64_t usd_per_s = 3600 * nano_usd_per_usd;
    plan.pools[0].price_series = static_cast<std::uint16_t>(
        plan.prices.add({{0, 10'000, 12'000}, {usd_per_s, 5 * usd_per_s, 2 * usd_per_s}}));
    const Result result = result_of(plan, {"fifo", HeadRule::block, "count"});
    const SpendCurve curve = SpendCurve::of_pools(result, {});
    // The last 10 s cost 18 USD at 12 s, 26 at 20 s, and 20 from 22 s on.
    CHECK(curve.burns(usd(24), 10 * second, result.end) == Duration{18'001});
    CHECK_FALSE(curve.burns(usd(26), 10 * second, result.end));
}

TEST_CASE("a budget of a pool or a tenant counts only its cost") {
    Result result = spent();
    result.run.budgets = {{.limit = usd(1), .pool = 0}, {.limit = usd(1), .tenant = 0}};
    const auto outcomes = budget_outcomes(result);
    CHECK(outcomes[0].periods[0].spent == usd(480));
    CHECK(outcomes[0].periods[0].exceeded_at == Duration{501});
    CHECK(outcomes[1].periods[0].spent == usd(60 + 2 * 40)); // one GPU, for 100 s
    CHECK(outcomes[1].periods[0].exceeded_at == Duration{1'001});
}

TEST_CASE("the bill says what a budget stopped, and for how long") {
    Result result = spent();
    result.run.budgets = {{.name = "a",
                           .limit = usd(120),
                           .action = BudgetAction::stop_jobs,
                           .stops = {{60 * second, result.end, 2}}},
                          {.name = "b",
                           .limit = usd(300),
                           .action = BudgetAction::stop_admitting,
                           .stops = {{105 * second, 120 * second, 0}}}};
    const std::string table = written(result, "table");
    CAPTURE(table);
    CHECK(table.find("budget alert: a: spent 0.0 h: 2 jobs stopped, none started until the end") !=
          std::string::npos);
    CHECK(table.find("budget alert: b: spent 0.0 h: no job started until 0.0 h") !=
          std::string::npos);
    const std::string json = written(result, "json");
    CHECK(json.find(R"("then": "stop-jobs")") != std::string::npos);
    CHECK(json.find(R"("jobs_stopped": 2)") != std::string::npos);
}

TEST_CASE("costs besides GPU time count at the end of a budget of the run") {
    Result result = spent();
    result.run.other_costs.push_back({"storage", usd(20)});
    result.run.budgets = {{.limit = usd(480)}, {.limit = usd(480), .pool = 0}};
    const auto outcomes = budget_outcomes(result);
    CHECK(outcomes[0].periods[0].spent == usd(500));
    CHECK(outcomes[0].periods[0].exceeded_at == result.end);
    CHECK_FALSE(outcomes[1].is_exceeded());
}

TEST_CASE("the first time of too fast spending is reported") {
    Result result = spent();
    const auto burned = [&](std::int64_t per_hour, Duration over) {
        result.run.budgets = {{.limit = usd(1000), .burn = BurnLimit{usd(per_hour), over}}};
        return budget_outcomes(result)[0].burned_at;
    };
    // Two dollars a second are 7,200 USD/h, later four.
    CHECK(burned(7'199, 10 * second) == Duration{10'000});
    CHECK(burned(7'200, 10 * second) == Duration{60'001});
    CHECK(burned(10'800, 10 * second) == Duration{65'001}); // half of the ten at each price
    CHECK_FALSE(burned(14'400, 10 * second));
    CHECK_FALSE(burned(1, 200 * second)); // longer than the run
    CHECK(written(result, "table").find("budget alert") == std::string::npos);
}

TEST_CASE("a monthly budget restarts each month, and months add up to the paid total") {
    Result result = spent();
    result.run.months = {{"2017-10", {}, 70 * second}, {"2017-11", 70 * second, 150 * second}};
    result.run.budgets = {{.name = "month", .limit = usd(170), .is_monthly = true}};
    const auto outcomes = budget_outcomes(result);
    REQUIRE(outcomes[0].periods.size() == 2);
    CHECK(outcomes[0].periods[0].spent == usd(160));
    CHECK_FALSE(outcomes[0].periods[0].exceeded_at);
    CHECK(outcomes[0].periods[1].spent == usd(320));
    CHECK(outcomes[0].periods[1].exceeded_at == Duration{112'501});
    CHECK(month_sentences(result) ==
          std::vector<std::string>{"2017-10: 160.00 USD", "2017-11: 320.00 USD"});
    CHECK(written(result, "json").find(R"("month": "2017-11")") != std::string::npos);
}

TEST_CASE("a sentence on a budget has its scope, its month and the seeds that exceed it") {
    Result result = spent();
    result.run.months = {{"2017-10", {}, 70 * second}, {"2017-11", 70 * second, 150 * second}};
    result.run.budgets = {{.limit = usd(500), .pool = 0, .seeds_exceeded = 2},
                          {.limit = usd(500), .tenant = 0},
                          {.limit = usd(170), .is_monthly = true}};
    const auto texts = [&] {
        std::vector<std::string> out;
        for (const BudgetSentence& sentence : budget_sentences(result))
            out.push_back((sentence.is_alert ? "! " : "") + sentence.text);
        return out;
    };
    std::vector<std::string> expected{"pool pool 0: 480.00 of 500.00 USD spent",
                                      "tenant tenant 0: 140.00 of 500.00 USD spent",
                                      "all, 2017-10: 160.00 of 170.00 USD spent",
                                      "! all, 2017-11: 320.00 of 170.00 USD spent, exceeded 0.0 h"};
    CHECK(texts() == expected);
    result.repeats = Repeats{.n = 5, .scalars = {}};
    expected.insert(expected.begin() + 1, "! pool pool 0: exceeded with 2 of 5 seeds");
    CHECK(texts() == expected);
}

TEST_CASE("the cost of paid nodes includes time past the end of the run") {
    Result result = spent();
    result.pools.push_back(result.pools[0]); // without nodes
    const SpendCurve curve = SpendCurve::of_nodes(
        result, {{0, 1, 10'000, 70'000}, {0, 1, 140'000, 160'000}}); // of two GPUs
    CHECK(curve.until(10 * second) == Money{});
    CHECK(curve.until(65 * second) == usd(2 * (50 + 2 * 5)));
    CHECK(curve.until(140 * second) == usd(2 * (50 + 2 * 10)));
    CHECK(curve.until(200 * second) == usd(2 * (50 + 2 * 10 + 2 * 20)));
}

TEST_CASE("a budget with `fail: yes` is named if it fails with any seed") {
    Result result = spent();
    result.run.budgets = {{.name = "a", .limit = usd(1)},
                          {.name = "b", .limit = usd(1000), .fails = true}};
    CHECK(failed_budgets(result).empty());
    result.run.budgets[1].seeds_exceeded = 1;
    CHECK(failed_budgets(result) == "budget exceeded: b");
    result.run.budgets[0].fails = true;
    CHECK(failed_budgets(result) == "budget exceeded: a\nbudget exceeded: b");
}

TEST_CASE("the amount spent at an instant equals the ledger of a run until then") {
    const std::vector<PolicyChoice> choices = every_choice_at_all();
    CHECK(check_property([&] {
        Plan plan = draw_plan();
        plan.measure_from = {};
        plan.measure_to.reset();
        for (PlanPool& pool : plan.pools)
            pool.billing_step = millisecond;
        if (drawn::boolean())
            plan.pools[0].price_series = static_cast<std::uint16_t>(
                plan.prices.add({{-5, drawn::in_range<std::int64_t>(0, 90'000), 100'000},
                                 {3, drawn::in_range<std::int64_t>(0, 900), 5}}));
        const PolicyChoice choice = drawn::element_of(choices);
        const Result whole = result_of(plan, choice);
        if (whole.end.count() == 0) // no job took any time: there is no instant to check
            return;
        const Duration at{drawn::in_range<std::int64_t>(1, whole.end.count() + 1)};
        plan.until = at;
        const Result part = result_of(plan, choice);
        RC_ASSERT(SpendCurve::of_pools(whole, {}).until(at) == leaf_sums(part).paid_cost());
        std::vector<Money> by_tenant(part.tenants.size());
        for (const ResultCell& cell : part.cells)
            if (cell.tenant)
                by_tenant[*cell.tenant] += cell.cost;
        for (std::uint32_t tenant = 0; tenant < by_tenant.size(); ++tenant)
            RC_ASSERT(SpendCurve::of_tenant(whole, tenant).until(at) == by_tenant[tenant]);
    }));
}

TEST_CASE("if nodes come and go, the spent amount is the payment for nodes that are up") {
    const std::vector<PolicyChoice> choices = every_choice_at_all();
    CHECK(check_property([&] {
        Plan plan = draw_plan({.max_pools = 3, .max_jobs = 15});
        plan.measure_from = {};
        plan.measure_to.reset();
        plan.world = draw_world(plan);
        draw_fleet(plan);
        plan.until = drawn::in_range(1, 120) * second;
        const Result result = result_of(plan, drawn::element_of(choices));
        Money there;
        for (const ResultCell& cell : result.cells)
            if (cell.leaf != Leaf::unavail_reserved_unlaunched)
                there += cell.cost;
        RC_ASSERT(SpendCurve::of_pools(result, {}).until(result.end) == there);
    }));
}

TEST_CASE("budgets and months are saved with the result") {
    Result result = spent();
    result.run.months = {{"2017-10", {}, 70 * second}, {"2017-11", 70 * second, 150 * second}};
    result.run.budgets = {{.name = "a",
                           .limit = usd(170),
                           .tenant = 0,
                           .is_monthly = true,
                           .fails = true,
                           .burn = BurnLimit{usd(3), hour},
                           .action = BudgetAction::stop_jobs,
                           .stops = {{30 * second, 70 * second, 2}, {80 * second, 150 * second, 0}},
                           .seeds_exceeded = 2},
                          {.limit = usd(1), .pool = 0}};
    const Result loaded = parse_result(written(result, "result"), "result.json");
    CHECK(loaded.run.months == result.run.months);
    CHECK(loaded.run.budgets == result.run.budgets);
    result.run.budgets[0].tenant = 7;
    CHECK_THROWS_AS((void)parse_result(written(result, "result"), "result.json"), BadResult);
}

} // namespace bursar::test::budgets_test
