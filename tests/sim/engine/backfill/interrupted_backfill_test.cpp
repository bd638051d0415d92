#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "policies/choice/policy_choice.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/logged_run.hpp"
#include "tests/properties.hpp"

// Backfilling with nodes that come and go and stopped jobs, and with rounds.
namespace bursar::test::interrupted_backfill_test {
namespace {

PolicyChoice choice_of(const char* backfill, const char* capacity) {
    return {"fifo", HeadRule::block, capacity, "", backfill};
}

WorldEvent goes(std::int64_t at_ms, std::uint32_t node) {
    return {at_ms, NodeOffline{.node = node, .cause = StopCause::reclaimed}};
}
WorldEvent comes(std::int64_t at_ms, std::uint32_t node, StopCause cause = StopCause::reclaimed) {
    return {at_ms, NodeOnline{.node = node, .cause = cause}};
}

/// The starts of attempts in order, with their jobs.
struct Begin {
    std::int64_t at_ms{};
    std::uint32_t job{};
    bool operator==(const Begin&) const = default;
};
std::vector<Begin> begins(const LoggedRun& run) {
    std::vector<Begin> begins;
    for (const LoggedAttempt& attempt : run.log.attempts)
        begins.push_back({attempt.start_ms, attempt.job});
    return begins;
}

/// Nodes go and come back, the last one after the last arrival, and jobs are stopped.
Plan draw_plan() {
    std::vector<JobSpec> jobs;
    std::int64_t submit = 0;
    const int num_jobs = drawn::in_range(1, 30);
    for (int job = 0; job < num_jobs; ++job) {
        submit += drawn::in_range(0, 4);
        jobs.push_back({submit, drawn::in_range(0, 15), drawn::in_range(1U, 13U)});
    }
    Plan plan = plan_of(jobs, {pool_of(3, 4)});
    plan.classes[0].startup = drawn::in_range(0, 3) * second;
    plan.classes[0].save = drawn::in_range(0, 3) * second;
    plan.classes[0].recovery = drawn::in_range(0, 3) * second;
    for (int job = 0; job < num_jobs && drawn::in_range(0, 3) > 0; ++job)
        plan.estimate_ms.push_back(0);
    for (std::int64_t& estimate : plan.estimate_ms)
        estimate = drawn::in_range<std::int64_t>(0, 20'000);
    plan.estimate_ms.resize(plan.estimate_ms.size() == plan.num_jobs() ? plan.num_jobs() : 0);
    std::int64_t now_ms = 0;
    const int num_events = drawn::in_range(0, 25);
    for (int e = 0; e < num_events; ++e) {
        now_ms += drawn::in_range<std::int64_t>(0, 6'000);
        const auto kind = drawn::one_of(
            WorldEventKind::stop_job, WorldEventKind::node_offline, WorldEventKind::node_online);
        const auto node = drawn::in_range(0U, 3U);
        const JobId job{static_cast<std::uint32_t>(drawn::in_range(0, num_jobs))};
        const StopCause cause = drawn::one_of(
            StopCause::reclaimed, StopCause::node_failed, StopCause::hung, StopCause::maintenance);
        const auto hold_ms = drawn::in_range<std::int64_t>(0, 3'000);
        if (kind == WorldEventKind::stop_job)
            plan.world.emplace_back(now_ms, StopJob{job, cause, hold_ms});
        else if (kind == WorldEventKind::node_offline)
            plan.world.emplace_back(now_ms, NodeOffline{PoolId{0}, node, cause, hold_ms});
        else
            plan.world.push_back(comes(now_ms, node, cause));
    }
    for (std::uint32_t of = 0; of < 3; ++of) {
        for (const StopCause cause : {StopCause::reclaimed,
                                      StopCause::node_failed,
                                      StopCause::hung,
                                      StopCause::maintenance}) {
            plan.world.push_back(comes(now_ms + 1, of, cause));
        }
    }
    return plan;
}

void check_books(const Plan& plan, const Outcome& outcome) {
    int128 booked = 0;
    for (const SlotTime& cell : outcome.cells)
        booked += cell.count();
    const std::int64_t slots = plan.pools[0].num_gpus() * slots_per_gpu;
    RC_ASSERT(booked == slot_time(slots, outcome.end).count());
    RC_ASSERT(outcome.num_finished == plan.num_jobs());
}

} // namespace

TEST_CASE("a head that fits nothing that is up delays no job behind it") {
    // From 1 s to 9 s one node of two is off, so the second job, of 8 GPUs, gets no promise. The
    // third, behind it, starts whatever its length.
    for (const char* capacity : {"count", "nodes"}) {
        for (const char* backfill : {"easy", "conservative"}) {
            CAPTURE(capacity);
            CAPTURE(backfill);
            Plan plan = plan_of({{0, 3, 2}, {2, 5, 8}, {2, 20, 2}}, {pool_of(2, 4)});
            plan.world = {goes(1'000, 1), comes(9'000, 1)};
            const LoggedRun run = run_logged(plan, choice_of(backfill, capacity));
            CHECK((begins(run) == std::vector<Begin>{{0, 0}, {2'000, 2}, {22'000, 1}}));
            REQUIRE(!run.log.promises.empty());
            CHECK(run.log.promises.back().job == 1);
            CHECK(run.log.promises.back().start_ms == 22'000);
        }
    }
}

TEST_CASE("promises are made again when a node goes") {
    // The second job was promised 3 s; at 1 s a node goes, and comes back at 10 s.
    Plan plan = plan_of({{0, 3, 8}, {0, 5, 6}}, {pool_of(2, 4)});
    plan.world = {goes(1'000, 1), comes(10'000, 1)};
    for (const char* backfill : {"easy", "conservative"}) {
        CAPTURE(backfill);
        const LoggedRun run = run_logged(plan, choice_of(backfill, "count"));
        // The first was stopped at 1 s and is before the second in order.
        CHECK((begins(run) == std::vector<Begin>{{0, 0}, {10'000, 0}, {12'000, 1}}));
    }
}

TEST_CASE("starts promised by conservative backfilling are rounds") {
    // Rounds of 4 s: the first starts at 0 and ends at 5; the second, of all GPUs, at 8. The third
    // fits before it only if it has ended by then.
    Plan plan = plan_of({{0, 5, 3}, {1, 2, 4}, {1, 4, 1}, {1, 5, 1}}, {pool_of(1, 4)});
    PolicyChoice choice = choice_of("conservative", "count");
    choice.quantum = 4 * second;
    CHECK((begins(run_logged(plan, choice)) ==
           std::vector<Begin>{{0, 0}, {4'000, 2}, {8'000, 1}, {12'000, 3}}));
}

TEST_CASE("under backfill no job is lost when nodes go and jobs are stopped") {
    for (const char* capacity : {"count", "nodes"}) {
        for (const char* backfill : {"easy", "conservative"}) {
            CAPTURE(capacity);
            CAPTURE(backfill);
            CHECK(check_property([&] {
                const Plan plan = draw_plan();
                PolicyChoice choice = choice_of(backfill, capacity);
                if (std::string{backfill} == "conservative")
                    choice.quantum = drawn::in_range(0, 4) * second;
                const LoggedRun run = run_logged(plan, choice);
                check_books(plan, run.outcome);
                const std::int64_t every_ms = std::max<std::int64_t>(choice.quantum.count(), 1);
                for (const Begin& begin : begins(run))
                    RC_ASSERT(begin.at_ms % every_ms == 0);
            }));
        }
    }
}

} // namespace bursar::test::interrupted_backfill_test
