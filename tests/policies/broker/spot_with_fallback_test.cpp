#include <cstdint>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "policies/broker/spot_with_fallback.hpp"
#include "policies/choice/policy_conflict.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/logged_run.hpp"

// A job of 100 s on one GPU that is reclaimed after 30 s, by hand.
namespace bursar::test::spot_with_fallback_test {
namespace {

constexpr Duration second{1000};

/// Pool, begin and end in ms.
using Stretch = std::tuple<std::size_t, std::int64_t, std::int64_t>;

/// Pool 0 is spot, reclaimed at 30 s and back at `back_s`; pool 1 is on demand. A recovery takes 10
/// s, a save no time.
Plan plan_until(std::int64_t deadline_s, std::int64_t back_s) {
    Plan plan = plan_of({{0, 100, 1, 0b01}}, {pool_of(1, 1), pool_of(1, 1)});
    plan.pools[0].purchase = Purchase::spot;
    plan.pools[1].purchase = Purchase::on_demand;
    plan.classes[0].recovery = 10 * second;
    plan.deadline_ms = {1000 * deadline_s};
    plan.shapes[0].fallback = 1;
    plan.fallbacks = {{JobId{0}, 0b01, 0b10, 0, 0}};
    plan.world = {{30'000, NodeOffline{.cause = StopCause::reclaimed}},
                  {1000 * back_s, NodeOnline{.cause = StopCause::reclaimed}}};
    return plan;
}

std::vector<Stretch> attempts(const Plan& plan) {
    std::vector<Stretch> found;
    for (const char* capacity : {"count", "nodes"}) {
        const LoggedRun run = run_logged(plan, {"fifo", HeadRule::skip, capacity});
        std::vector<Stretch> own;
        for (const LoggedAttempt& attempt : run.log.attempts)
            own.emplace_back(attempt.pool, attempt.start_ms, attempt.end_ms);
        if (found.empty())
            found = own;
        CHECK(own == found);
    }
    return found;
}

} // namespace

TEST_CASE("a job waits for spot while it has time") {
    // 70 s are left, two restarts: until 80 s it may wait.
    CHECK(attempts(plan_until(170, 79)) ==
          std::vector<Stretch>{{0, 0, 30'000}, {0, 79'000, 159'000}});
}

TEST_CASE("a job that cannot wait longer moves to on demand and stays there") {
    CHECK(attempts(plan_until(170, 90)) ==
          std::vector<Stretch>{{0, 0, 30'000}, {1, 80'000, 160'000}});
}

TEST_CASE("a boot, and the loss of an attempt, are part of the time a job needs") {
    Plan plan = plan_until(170, 90);
    plan.fallbacks[0].boot_ms = 5'000;
    plan.fallbacks[0].loss_ms = 7'000;
    CHECK(attempts(plan) == std::vector<Stretch>{{0, 0, 30'000}, {1, 68'000, 148'000}});
    plan.fallbacks[0].loss_ms = 1'000'000; // limited to all work
    CHECK(attempts(plan) == std::vector<Stretch>{{1, 0, 100'000}});
}

TEST_CASE("a node that boots for a job is not taken by one that falls back later") {
    // Spot is away. A boot takes 10 s: job 1 falls back at 85 s, job 0 at 90 s.
    Plan plan = plan_of({{0, 100, 1, 0b01}, {1, 110, 1, 0b01}}, {pool_of(1, 1), pool_of(2, 1)});
    plan.pools[0].purchase = Purchase::spot;
    plan.pools[1].purchase = Purchase::on_demand;
    plan.deadline_ms = {200'000, 205'000};
    plan.shapes.push_back(plan.shapes[0]);
    plan.shape = {0, 1};
    plan.fallbacks = {{JobId{0}, 0b01, 0b10, 0, 10'000}, {JobId{1}, 0b01, 0b10, 0, 10'000}};
    plan.shapes[0].fallback = 1;
    plan.shapes[1].fallback = 2;
    plan.world = {{0, NodeOffline{.cause = StopCause::reclaimed}}};
    plan.provisioning.resize(2);
    plan.provisioning[1].is_fixed = false;
    plan.provisioning[1].follows_queue = true;
    plan.boot_ms = {10'000};
    CHECK(attempts(plan) == std::vector<Stretch>{{1, 95'000, 205'000}, {1, 100'000, 200'000}});
}

TEST_CASE("at a uniform pace a job falls back when it is behind, and moves back when it is ahead") {
    // Half a second of work is due per second. 30 s are done, enough until 60 s; the job is two
    // recoveries ahead at 100.002 s.
    Plan plan = plan_until(200, 90);
    plan.keeps_pace = true;
    CHECK(attempts(plan) ==
          std::vector<Stretch>{{0, 0, 30'000}, {1, 60'001, 100'002}, {0, 100'002, 150'001}});
    plan.world[1].time_ms = 130'001; // when a recovery takes as long as the work left
    CHECK(attempts(plan) == std::vector<Stretch>{{0, 0, 30'000}, {1, 60'001, 140'001}});
}

TEST_CASE("policies that may make a job miss its deadline are refused") {
    PolicyChoice choice{"fifo", HeadRule::skip};
    choice.broker = "spot-with-fallback";
    CHECK(!policy_conflict(choice));
    PolicyChoice preempts = choice;
    preempts.queue = "srtf";
    REQUIRE(policy_conflict(preempts));
    CHECK(policy_conflict(preempts)->policy_slot == "broker");
    preempts.preemption = "none";
    CHECK(!policy_conflict(preempts));
    PolicyChoice rounds = choice;
    rounds.quantum = second;
    CHECK(policy_conflict(rounds));
    PolicyChoice easy = choice;
    easy.head = HeadRule::block;
    easy.backfill = "easy";
    CHECK(policy_conflict(easy));
}

TEST_CASE("jobs keep an even pace only if `pace` is `uniform`") {
    PolicyOptions options;
    CHECK_FALSE(SpotWithFallback::keeps_pace(options));
    options.set("pace", {1});
    CHECK(SpotWithFallback::keeps_pace(options));
}

} // namespace bursar::test::spot_with_fallback_test
