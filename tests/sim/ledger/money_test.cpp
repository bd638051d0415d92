#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"

namespace bursar::test::money_test {
namespace {

const PolicyChoice fifo{"fifo", HeadRule::block, "count", ""};
const PolicyChoice srtf{"srtf", HeadRule::skip, "count", ""};

Outcome run_of(const Plan& plan, const PolicyChoice& choice = fifo) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace).outcome;
}

/// Gives a pool a price that changes: from each second on, USD per GPU-hour.
void set_prices(Plan& plan, std::size_t pool, const std::vector<std::pair<int, int>>& steps) {
    PriceSeries series;
    for (const auto& [from_s, usd] : steps) {
        series.start_ms.push_back((std::int64_t{from_s} * second).count());
        series.rate.push_back(usd * nano_usd_per_usd);
    }
    plan.pools[pool].price_series = static_cast<std::uint16_t>(plan.prices.add(series));
}

/// The cost of GPU-seconds at 1 USD per GPU-hour.
Money gpu_seconds(std::int64_t gpus_times_seconds) {
    return MoneyRate{nano_usd_per_usd} * slot_time(gpus_times_seconds * slots_per_gpu, second);
}

Money cost(const Outcome& outcome, std::size_t tenant, Leaf leaf, std::size_t pool = 0) {
    return outcome.money[outcome.index(pool, tenant, leaf)];
}

} // namespace

SCENARIO("one job's bill with a changing price") {
    GIVEN("a job of 4 GPUs for 100 s with 10 s of startup and 5 s of teardown on 8 GPUs, 1 USD, "
          "from 30 s on 3, from 112 s on 2") {
        Plan plan = plan_of({{0, 100, 4}}, {pool_of(1, 8)});
        plan.classes[0] = {10 * second, 5 * second};
        set_prices(plan, 0, {{0, 1}, {30, 3}, {112, 2}});
        THEN("each phase costs the price at its time") {
            const Outcome outcome = run_of(plan);
            CHECK(cost(outcome, 0, Leaf::over_startup) == gpu_seconds(4 * 10));
            CHECK(cost(outcome, 0, Leaf::prod_useful) == gpu_seconds(4 * (20 * 1 + 80 * 3)));
            CHECK(cost(outcome, 0, Leaf::over_teardown) == gpu_seconds(4 * (2 * 3 + 3 * 2)));
            CHECK(cost(outcome, 1, Leaf::idle_no_demand) ==
                  gpu_seconds(4 * (30 * 1 + 82 * 3 + 3 * 2)));
        }
        THEN("a measurement window cuts the cost to its interval") {
            plan.measure_from = 5 * second;
            plan.measure_to = 32 * second;
            const Outcome outcome = run_of(plan);
            CHECK(cost(outcome, 0, Leaf::over_startup) == gpu_seconds(4 * 5));
            CHECK(cost(outcome, 0, Leaf::prod_useful) == gpu_seconds(4 * (20 * 1 + 2 * 3)));
            CHECK(cost(outcome, 0, Leaf::over_teardown) == Money{});
        }
        THEN("time billed past the end has the price of that time") {
            plan.pools[0].billing_step = minute; // 115 s are billed as 120 s
            set_prices(plan, 0, {{0, 1}, {116, 5}});
            CHECK(cost(run_of(plan), 1, Leaf::unavail_reserved_unlaunched) ==
                  gpu_seconds(8 * (1 * 1 + 4 * 5)));
        }
        THEN("before the first step, its price applies") {
            plan.prices = {};
            set_prices(plan, 0, {{50, 7}});
            CHECK(cost(run_of(plan), 0, Leaf::over_startup) == gpu_seconds(4 * 10 * 7));
        }
    }
}

SCENARIO("a pool with a varying price and one with a constant price") {
    Plan plan = plan_of({{0, 100, 4, 1}, {0, 50, 2, 2}}, {pool_of(1, 4), pool_of(1, 2)});
    plan.pools[1].rate = MoneyRate{2 * nano_usd_per_usd};
    set_prices(plan, 0, {{0, 1}, {60, 3}});
    const Outcome outcome = run_of(plan);
    CHECK(cost(outcome, 0, Leaf::prod_useful) == gpu_seconds(4 * (60 * 1 + 40 * 3)));
    CHECK(cost(outcome, 0, Leaf::prod_useful, 1) == gpu_seconds(2 * 50 * 2));
    CHECK(cost(outcome, 1, Leaf::idle_no_demand, 1) == gpu_seconds(2 * 50 * 2));
}

TEST_CASE("without varying prices there are no cells of money") {
    CHECK(run_of(plan_of({{0, 100, 4}}, {pool_of(1, 8)})).money.empty());
}

SCENARIO("saves share the cost of a stretch with the work around them, by time") {
    GIVEN("30 s of work in three parts of 10 s with saves of 5 s between, 1 USD, from 20 s on 4") {
        Plan plan = plan_of({{0, 30, 2}}, {pool_of(1, 2)});
        plan.classes[0].checkpoint = Checkpoint::every;
        plan.classes[0].interval = 10 * second;
        plan.classes[0].save = 5 * second;
        set_prices(plan, 0, {{0, 1}, {20, 4}});
        THEN("saves have a quarter of the cost, wherever the expensive hours are") {
            const Outcome outcome = run_of(plan);
            const std::int64_t whole = 2 * (20 * 1 + 20 * 4);
            CHECK(cost(outcome, 0, Leaf::over_checkpoint) == gpu_seconds(whole / 4));
            CHECK(cost(outcome, 0, Leaf::prod_useful) == gpu_seconds(whole / 4 * 3));
        }
    }
}

TEST_CASE("under any price, work and saves add up, and each is within half a unit per slot") {
    CHECK(check_property([] {
        const std::int64_t work_s = drawn::in_range(1, 20);
        Plan plan = plan_of({{0, work_s, 2}}, {pool_of(1, 2)});
        to_milliseconds(plan);
        plan.classes[0].checkpoint = Checkpoint::every;
        plan.classes[0].interval = Duration{drawn::in_range(1, 6)};
        plan.classes[0].save = Duration{drawn::in_range(0, 4)};
        std::vector<std::int64_t> rate_of_ms(200);
        PriceSeries series;
        for (std::size_t ms = 0; ms < rate_of_ms.size(); ++ms) {
            rate_of_ms[ms] = drawn::in_range<std::int64_t>(0, 100);
            series.start_ms.push_back(static_cast<std::int64_t>(ms));
            series.rate.push_back(rate_of_ms[ms]);
        }
        plan.pools[0].price_series = static_cast<std::uint16_t>(plan.prices.add(series));
        const Outcome outcome = run_of(plan);
        int128 whole = 0; // ms by ms, of one slot
        for (std::int64_t ms = 0; ms < outcome.end.count(); ++ms)
            whole += rate_of_ms[static_cast<std::size_t>(ms)];
        const int128 saves = cost(outcome, 0, Leaf::over_checkpoint).count() / 2000;
        const int128 work = cost(outcome, 0, Leaf::prod_useful).count() / 2000;
        RC_ASSERT(saves + work == whole);
        const int128 saves_ms = outcome.end.count() - work_s;
        const int128 off = 2 * (saves * outcome.end.count() - whole * saves_ms);
        RC_ASSERT(-outcome.end.count() <= off && off <= outcome.end.count());
    }));
}

SCENARIO("work of a job that fails is rebooked at its cost") {
    GIVEN("a job that is stopped at 1 USD and fails at 10") {
        Plan plan = plan_of({{0, 100, 4, 1, 0, JobEnd::failed}, {40, 10, 4}}, {pool_of(1, 4)});
        set_prices(plan, 0, {{0, 1}, {50, 10}});
        const Outcome outcome = run_of(plan, srtf);
        CHECK(outcome.num_preempted == 1);
        CHECK(cost(outcome, 0, Leaf::lost_job_failed) == gpu_seconds(4 * (40 * 1 + 60 * 10)));
        CHECK(cost(outcome, 0, Leaf::prod_useful) == gpu_seconds(4 * 10)); // the other job's
    }
    GIVEN("a job that is stopped at 1 USD, again at 10, and fails at 100") {
        Plan plan =
            plan_of({{0, 100, 4, 1, 0, JobEnd::failed}, {40, 10, 4}, {70, 10, 4}}, {pool_of(1, 4)});
        set_prices(plan, 0, {{0, 1}, {50, 10}, {80, 100}});
        const Outcome outcome = run_of(plan, srtf);
        CHECK(outcome.num_preempted == 2);
        CHECK(cost(outcome, 0, Leaf::lost_job_failed) ==
              gpu_seconds(4 * (40 * 1 + 20 * 10 + 40 * 100)));
        CHECK(cost(outcome, 0, Leaf::prod_useful) == gpu_seconds(4 * (10 * 1 + 10 * 10)));
    }
}

} // namespace bursar::test::money_test
