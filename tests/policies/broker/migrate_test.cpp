#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "models/market/price_series.hpp"

#include "policies/broker/migrate.hpp"
#include "policies/choice/policy_conflict.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/policies/properties/random_market.hpp"

// Pool 0 costs 1 per GPU-second and pool 1 costs 3, in micro-USD; a node of one GPU each. Job 0
// holds pool 0 for 30 s, and job 1, of 100 s, begins in pool 1. A recovery takes 10 s, a save no
// time.
namespace bursar::test::migrate_test {
namespace {

constexpr Duration second{1000};
constexpr std::int64_t per_second = 3'600'000; ///< nano-USD per GPU-hour: 1 micro-USD a second

/// Job, pool, begin and end in s.
using Stretch = std::tuple<std::size_t, std::size_t, std::int64_t, std::int64_t>;

void give_rates(Plan& plan) {
    for (PlanPool& pool : plan.pools)
        pool.purchase = Purchase::on_demand;
    plan.pools[0].rate = MoneyRate{per_second};
    plan.pools[1].rate = MoneyRate{3 * per_second};
}

Plan cheap_and_dear() {
    Plan plan = plan_of({{0, 30, 1, 0b01}, {0, 100, 1, 0b11}}, {pool_of(1, 1), pool_of(1, 1)});
    plan.classes[0].recovery = 10 * second;
    give_rates(plan);
    return plan;
}

void give_prices(Plan& plan, std::size_t pool, const PriceSeries& series) {
    plan.pools[pool].price_series = static_cast<std::uint16_t>(plan.prices.add(series));
}

PolicyChoice migrating(std::int64_t margin_milli = 0, std::int64_t every_s = 0) {
    PolicyChoice choice{"fifo", HeadRule::skip};
    choice.broker = "cheapest-now";
    choice.broker_options.set("migrate", {1});
    choice.broker_options.set("migrate_margin", {margin_milli});
    choice.broker_options.set("migrate_every", {1000 * every_s});
    return choice;
}

/// By job, then by start.
std::vector<Stretch> attempts(Plan plan, PolicyChoice choice) {
    give_orders_of(choice, plan);
    std::vector<Stretch> found;
    for (const char* capacity : {"count", "nodes"}) {
        choice.capacity = capacity;
        const LoggedRun run = run_logged(plan, choice);
        std::vector<Stretch> own;
        for (const LoggedAttempt& attempt : run.log.attempts) {
            own.emplace_back(
                attempt.job, attempt.pool, attempt.start_ms / 1000, attempt.end_ms / 1000);
            CHECK((attempt.cause == StopCause::none || attempt.cause == StopCause::migrated));
        }
        CHECK(run.outcome.num_preempted == 0);
        std::ranges::stable_sort(own, {}, [](const Stretch& of) { return std::get<0>(of); });
        if (found.empty())
            found = own;
        CHECK(own == found);
    }
    return found;
}

const std::vector<Stretch> moved{{0, 0, 0, 30}, {1, 1, 0, 30}, {1, 0, 30, 110}};
const std::vector<Stretch> stayed{{0, 0, 0, 30}, {1, 1, 0, 100}};

} // namespace

TEST_CASE("a job moves to a cheaper pool as soon as that has room") {
    CHECK(attempts(cheap_and_dear(), migrating()) == moved);
    PolicyChoice never = migrating();
    never.broker_options = {};
    CHECK(attempts(cheap_and_dear(), never) == stayed);
}

TEST_CASE("it stays where it saves less than the margin") {
    // To its end 70 x 3 = 210 here and 80 x 1 there; 210 / 80 = 2.625.
    CHECK(attempts(cheap_and_dear(), migrating(1'624)) == moved);
    CHECK(attempts(cheap_and_dear(), migrating(1'625)) == stayed);
}

TEST_CASE("a save is paid for where the job runs, and unsaved work is done again") {
    Plan plan = cheap_and_dear();
    plan.classes[0].save = 43 * second; // 43 x 3 + 80 = 209
    CHECK(attempts(plan, migrating()) ==
          std::vector<Stretch>{{0, 0, 0, 30}, {1, 1, 0, 73}, {1, 0, 73, 153}});
    plan.classes[0].save = 44 * second;
    CHECK(attempts(plan, migrating()) == stayed);
    plan = cheap_and_dear();
    plan.classes[0].checkpoint = Checkpoint::none; // 110 there
    CHECK(attempts(plan, migrating()) ==
          std::vector<Stretch>{{0, 0, 0, 30}, {1, 1, 0, 30}, {1, 0, 30, 140}});
    plan.classes[0].recovery = 110 * second; // as expensive as staying
    CHECK(attempts(plan, migrating()) == stayed);
}

TEST_CASE("speeds count, and pools that are paid anyway cost nothing") {
    Plan plan = cheap_and_dear();
    give_speeds(plan, [](std::uint32_t) { return PlanSpeed{reference_speed, {}}; });
    plan.speeds[0].speed = reference_speed / 2; // 140 + 10 s are left
    plan.work_ms[0] = 15'000;
    CHECK(attempts(plan, migrating()) ==
          std::vector<Stretch>{{0, 0, 0, 30}, {1, 1, 0, 30}, {1, 0, 30, 180}});
    plan.speeds[0].speed = reference_speed / 4; // 280 + 10 s
    plan.work_ms[0] = 7'500;
    CHECK(attempts(plan, migrating()) == stayed);
    plan.pools[0].purchase = Purchase::owned;
    CHECK(attempts(plan, migrating()) ==
          std::vector<Stretch>{{0, 0, 0, 30}, {1, 1, 0, 30}, {1, 0, 30, 320}});
}

TEST_CASE("a price change moves a job when the order changes, or at the next period") {
    Plan plan = cheap_and_dear();
    plan.work_ms[0] = 0;
    give_prices(plan, 0, {{0, 40'000}, {5 * per_second, per_second}});
    CHECK(attempts(plan, migrating()) ==
          std::vector<Stretch>{{0, 0, 0, 0}, {1, 1, 0, 40}, {1, 0, 40, 110}});
    plan = cheap_and_dear();
    plan.classes[0].recovery = 50 * second;
    give_prices(plan, 0, {{0, 50'000}, {2 * per_second, per_second / 2}});
    CHECK(attempts(plan, migrating()) == stayed); // 120 x 2 at 30 s, and no later event
    CHECK(attempts(plan, migrating(0, 20)) ==
          std::vector<Stretch>{{0, 0, 0, 30}, {1, 1, 0, 60}, {1, 0, 60, 150}});
}

TEST_CASE("egress of saved state to another region is paid for") {
    Plan plan = cheap_and_dear();
    plan.pool_region = {0, 1};
    plan.egress_nano_usd = {129'999}; // 129.999 + 80 is less than 210
    CHECK(attempts(plan, migrating()) == moved);
    plan.egress_nano_usd = {130'000};
    CHECK(attempts(plan, migrating()) == stayed);
    plan.classes[0].checkpoint = Checkpoint::none; // nothing saved
    CHECK(attempts(plan, migrating()).size() == 3);
}

TEST_CASE("no job moves while a waiting job blocks, nor to GPUs that a waiting job could use") {
    // Two GPUs in pool 0; job 3 waits for both of them.
    Plan plan = plan_of({{0, 30, 1, 0b01}, {0, 60, 1, 0b01}, {0, 100, 1, 0b11}, {10, 20, 2, 0b01}},
                        {pool_of(2, 1), pool_of(1, 1)});
    plan.classes[0].recovery = 10 * second;
    give_rates(plan);
    PolicyChoice choice = migrating();
    CHECK(attempts(plan, choice) ==
          std::vector<Stretch>{
              {0, 0, 0, 30}, {1, 0, 0, 60}, {2, 1, 0, 30}, {2, 0, 30, 110}, {3, 0, 110, 130}});
    choice.head = HeadRule::block; // 20 s are left at 80 s
    CHECK(attempts(plan, choice) ==
          std::vector<Stretch>{
              {0, 0, 0, 30}, {1, 0, 0, 60}, {2, 1, 0, 80}, {2, 0, 80, 110}, {3, 0, 60, 80}});
    plan.shapes[plan.shape[3]].gpus = 1; // it takes what is free
    CHECK(attempts(plan, migrating()) ==
          std::vector<Stretch>{
              {0, 0, 0, 30}, {1, 0, 0, 60}, {2, 1, 0, 50}, {2, 0, 50, 110}, {3, 0, 30, 50}});
}

TEST_CASE("the job that was submitted first moves first") {
    Plan plan = plan_of({{0, 30, 1, 0b01}, {0, 100, 1, 0b11}, {0, 100, 1, 0b11}},
                        {pool_of(1, 1), pool_of(2, 1)});
    give_rates(plan);
    CHECK(attempts(plan, migrating()) ==
          std::vector<Stretch>{{0, 0, 0, 30}, {1, 1, 0, 30}, {1, 0, 30, 100}, {2, 1, 0, 100}});
    plan.classes[0].save = 5 * second; // no other job moves to the same GPU meanwhile
    CHECK(attempts(plan, migrating(0, 1)) ==
          std::vector<Stretch>{{0, 0, 0, 30}, {1, 1, 0, 35}, {1, 0, 35, 105}, {2, 1, 0, 100}});
}

TEST_CASE("nodes are launched for a job that would move there, while that pays") {
    Plan plan = plan_of({{0, 100, 1, 0b11}}, {pool_of(1, 1), pool_of(1, 1)});
    plan.classes[0].recovery = 10 * second;
    give_rates(plan);
    PlanProvisioning follows;
    follows.is_fixed = false;
    follows.follows_queue = true;
    plan.provisioning = {follows, {}};
    plan.boot_ms = {5'000};
    plan.world = {{0, SupplyChange{.num_nodes = 0}}, {30'000, SupplyChange{.num_nodes = 1}}};
    CHECK(attempts(plan, migrating()) == std::vector<Stretch>{{0, 1, 0, 35}, {0, 0, 35, 110}});
    plan.classes[0].save = 4 * second; // its target node does not end meanwhile
    CHECK(attempts(plan, migrating()) == std::vector<Stretch>{{0, 1, 0, 39}, {0, 0, 39, 114}});
    plan.classes[0].save = {};
    PolicyChoice choice = migrating(1'625); // 70 x 3 are 2.625 times (10 + 70) x 1
    CHECK(attempts(plan, choice) == std::vector<Stretch>{{0, 1, 0, 100}});
    give_orders_of(choice, plan);
    CHECK(run_logged(plan, choice).outcome.nodes[0].num_launches == 0);
}

TEST_CASE("interruptions lengthen held time there") {
    Plan plan = cheap_and_dear();
    give_order_rows(plan);
    PolicyChoice choice = migrating();
    choice.broker = "cheapest-including-risk";
    CHECK(attempts(plan, choice) == moved);
    // Mean work of 65 s, interrupted every 60 s: e^(10/60) (e^(65/60) - 1) 60/65 = 2.13 times as
    // long there; interrupted every 3600/82 s: 2.88 times. Pool 0 still comes first.
    plan.gang_risks = {{.failures = 60}, {}};
    const auto stretch = [&](std::size_t pool) {
        return static_cast<double>(risk_stretch_of(plan, kinds_of(plan).front(), pool)) /
               static_cast<double>(PlanMigration::one_stretch);
    };
    CHECK(stretch(0) == doctest::Approx(std::exp(10.0 / 60) * (std::exp(65.0 / 60) - 1) * 60 / 65));
    CHECK(stretch(1) == 1);
    CHECK(attempts(plan, choice) == moved); // 80 x 2.13 is less than 210
    plan.gang_risks[0].failures = 82;
    CHECK(stretch(0) < 3);
    CHECK(attempts(plan, choice) == stayed); // 80 x 2.88 is not
}

TEST_CASE("policies that could start other jobs before a migrating one are refused") {
    CHECK(!policy_conflict(migrating()));
    PolicyChoice preempts = migrating();
    preempts.queue = "srtf";
    REQUIRE(policy_conflict(preempts));
    CHECK(policy_conflict(preempts)->policy_slot == "broker");
    preempts.preemption = "none";
    CHECK(!policy_conflict(preempts));
    PolicyChoice rounds = migrating();
    rounds.quantum = second;
    CHECK(policy_conflict(rounds));
    rounds.broker_options.set("migrate", {0});
    CHECK(!policy_conflict(rounds));
    for (const char* backfill : {"easy", "conservative"}) {
        PolicyChoice reserves = migrating();
        reserves.head = HeadRule::block;
        reserves.backfill = backfill;
        CHECK(!policy_conflict(reserves));
    }
}

} // namespace bursar::test::migrate_test
