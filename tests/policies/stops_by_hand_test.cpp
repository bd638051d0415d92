#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "models/reliability/job_failures.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/every_choice.hpp"

namespace bursar::test::stops_by_hand_test {
namespace {

/// Orders, passes and victim rules with queues for stopped jobs.
std::vector<PolicyChoice> choices() {
    std::vector<PolicyChoice> all;
    for (const char* queue :
         {"fifo", "sjf", "fair-share", "drf", "multifactor", "ftf", "srtf", "las"})
        for (const HeadRule head : {HeadRule::block, HeadRule::skip})
            all.push_back({queue, head});
    for (const char* preemption : {"order", "priority", "value"}) {
        PolicyChoice choice{"fifo", HeadRule::block};
        choice.preemption = preemption;
        all.push_back(choice);
    }
    const std::size_t num = all.size();
    for (std::size_t i = 0; i < num; ++i) {
        all.push_back(all[i]);
        all.back().capacity = capacity_count;
    }
    return all;
}

SlotTime gpu_seconds(int gpus_times_seconds) {
    return slot_time(std::int64_t{gpus_times_seconds} * slots_per_gpu, second);
}

/// A job of 100 s on all 4 GPUs, which is stopped at second 40.
Plan stopped_once(StopCause cause) {
    Plan plan = plan_of({{0, 100, 4}}, {pool_of(1, 4)});
    plan.classes[0].startup = 5 * second;
    plan.classes[0].recovery = 8 * second;
    plan.classes[0].save = 2 * second;
    plan.world = {{40'000, StopJob{.job = JobId{0}, .cause = cause, .hold_ms = 3'000}}};
    return plan;
}

Run run_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

} // namespace

TEST_CASE("a job on a failed node loses its work, and holds its GPUs until that is noticed") {
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Run run = run_of(stopped_once(StopCause::node_failed), choice);
        const Outcome& outcome = run.outcome;
        CHECK(outcome.end == (43 + 8 + 100) * second);
        CHECK(outcome.num_started == 2);
        CHECK(outcome.num_preempted == 0);
        CHECK(outcome.cell(0, 0, Leaf::over_startup) == gpu_seconds(4 * 5));
        CHECK(outcome.cell(0, 0, Leaf::lost_failure) == gpu_seconds(4 * 35));
        CHECK(outcome.cell(0, 0, Leaf::over_hang) == gpu_seconds(4 * 3));
        CHECK(outcome.cell(0, 0, Leaf::over_recovery) == gpu_seconds(4 * 8));
        CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 100));
        REQUIRE(run.jobs.stopped.size() == 1);
        CHECK(run.jobs.stopped[0].cause == StopCause::node_failed);
        CHECK(run.jobs.stopped[0].stop_ms == 43'000);
    }
}

TEST_CASE("a job whose node goes into maintenance saves its state and continues") {
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(stopped_once(StopCause::maintenance), choice).outcome;
        CHECK(outcome.end == (42 + 8 + 65) * second);
        CHECK(outcome.cell(0, 0, Leaf::over_checkpoint) == gpu_seconds(4 * 2));
        CHECK(outcome.cell(0, 0, Leaf::over_hang) == SlotTime{});
        CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 100));
    }
}

TEST_CASE(
    "under a blocking head all free GPUs are idle for it, in pools that it may not use, too") {
    const Plan plan = plan_of({{0, 100, 4}, {0, 100, 4}}, {pool_of(1, 4), pool_of(1, 2)});
    for (const char* capacity : {"count", "nodes"}) {
        for (const HeadRule head : {HeadRule::block, HeadRule::skip}) {
            const bool blocks = head == HeadRule::block;
            const Outcome outcome = run_of(plan, {"fifo", head, capacity}).outcome;
            CHECK(outcome.cell(1, 1, Leaf::idle_gang) == gpu_seconds(blocks ? 200 : 0));
            CHECK(outcome.cell(1, 1, Leaf::idle_ineligible) == gpu_seconds(blocks ? 0 : 200));
            CHECK(outcome.cell(1, 1, Leaf::idle_no_demand) == gpu_seconds(200));
        }
    }
}

TEST_CASE("work that ends at the instant of a stop has ended") {
    Plan plan = stopped_once(StopCause::hung);
    plan.world[0].time_ms = 105'000;
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        CHECK(run_of(plan, choice).outcome.end == 105 * second);
    }
}

TEST_CASE("a job waits while its node is absent; that time is billed to none") {
    Plan plan = stopped_once(StopCause::node_failed);
    plan.world = {{40'000, NodeOffline{.node = 0}}, {50'000, NodeOnline{.node = 0}}};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == (50 + 8 + 100) * second);
        CHECK(outcome.cell(0, 1, Leaf::unavail_down) == gpu_seconds(4 * 10));
        CHECK(outcome.cell(0, 0, Leaf::lost_failure) == gpu_seconds(4 * 35));
    }
}

TEST_CASE("a node that goes while its job cleans up does not stop other jobs") {
    // Three nodes; the first goes at 3 s, its job holds it until 5 s. A gang of two comes at 4 s.
    Plan plan = plan_of({{0, 3, 1}, {4, 1, 2}}, {pool_of(3, 1)});
    plan.classes[0].teardown = 2 * second;
    plan.world = {{3'000, NodeOffline{.node = 0}}};
    for (PolicyChoice choice : choices()) {
        choice.capacity = capacity_nodes;
        choice.placement = "first-fit";
        CAPTURE(name_of(choice));
        CHECK(run_of(plan, choice).jobs.start_ms == std::vector<std::int64_t>{0, 4'000});
    }
}

TEST_CASE("all jobs of a node that goes are stopped, or the youngest by count") {
    // Job i starts at second i, one GPU each; of two nodes of 40 GPUs the first goes.
    std::vector<JobSpec> jobs;
    for (int i = 0; i < 60; ++i)
        jobs.push_back({i, 200, 1});
    Plan plan = plan_of(jobs, {pool_of(2, 40)});
    plan.world = {{100'000, NodeOffline{.node = 0}}, {400'000, NodeOnline{.node = 0}}};
    for (PolicyChoice choice : choices()) {
        choice.placement = "first-fit";
        CAPTURE(name_of(choice));
        const JobRows rows = run_of(plan, choice).jobs;
        const bool by_count = choice.capacity == capacity_count;
        std::vector<std::uint32_t> expected;
        for (std::uint32_t job = by_count ? 40 : 0; job < (by_count ? 60 : 40); ++job)
            expected.push_back(job);
        std::vector<std::uint32_t> stopped;
        for (const StoppedAttempt& row : rows.stopped)
            if (row.cause == StopCause::node_failed)
                stopped.push_back(row.job);
        std::ranges::sort(stopped);
        CHECK(stopped == expected);
    }
}

TEST_CASE("a run ends if jobs wait for nodes that never come back") {
    Plan plan = stopped_once(StopCause::node_failed);
    plan.world = {{40'000, NodeOffline{.node = 0}}};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 40 * second);
        CHECK(outcome.num_queued_at_end == 1);
    }
}

TEST_CASE("a job that fails by its own fault does so after the same run time under any scheduler") {
    Plan plan = stopped_once(StopCause::none);
    plan.world.clear();
    plan.own_failure_seed = 5;
    // Its first failure is after 40 s at this rate, and the others are far off.
    const std::int64_t rate = (wear_to_failure(5, 0, 0) + 39'999) / 40'000;
    REQUIRE(ms_to_wear(wear_to_failure(5, 0, 0), rate) == 40'000);
    REQUIRE(ms_to_wear(wear_to_failure(5, 0, 1), rate) > 108'000);
    plan.own_failures = {{rate, 0, 3'000}};
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Run run = run_of(plan, choice);
        const Outcome& outcome = run.outcome;
        CHECK(outcome.end == (43 + 8 + 100) * second);
        CHECK(outcome.cell(0, 0, Leaf::lost_failure) == gpu_seconds(4 * 35));
        CHECK(outcome.cell(0, 0, Leaf::over_hang) == gpu_seconds(4 * 3));
        CHECK(outcome.cell(0, 0, Leaf::over_recovery) == gpu_seconds(4 * 8));
        REQUIRE(run.jobs.stopped.size() == 1);
        CHECK(run.jobs.stopped[0].cause == StopCause::job_failed);
    }
    // With a rate per GPU it comes four times as early; stops for other causes do not reset its
    // wear.
    plan.own_failures = {{0, rate / 2, 0}};
    plan.world = {{10'000, StopJob{.job = JobId{0}}}};
    const Run run = run_of(plan, choices().front());
    REQUIRE(run.jobs.stopped.size() >= 2);
    CHECK(run.jobs.stopped[0].stop_ms == 10'000);
    CHECK(run.jobs.stopped[1].cause == StopCause::job_failed);
    CHECK(run.jobs.stopped[1].stop_ms == 20'001); // the rate is rounded down
}

TEST_CASE("failures do not count toward a limit on preemptions") {
    // The urgent job arrives after the failure, and may stop the other once.
    Plan plan = plan_of({{0, 100, 4}, {60, 10, 4}}, {pool_of(1, 4)});
    plan.priority = {0, 1};
    plan.world = {{40'000, StopJob{.job = JobId{0}}}};
    PolicyChoice choice{"fifo", HeadRule::block};
    choice.preemption = "priority";
    choice.preemption_options.set("max_per_job", {1});
    const Outcome outcome = run_of(plan, choice).outcome;
    CHECK(outcome.num_preempted == 1);
    CHECK(outcome.end == 150 * second);
}

TEST_CASE("a job stopped by the world queues after running jobs and before waiting ones") {
    // Three GPUs, and no job saves. At 3 s the first job ends and two nodes go: of the two others
    // the younger is stopped; it restarts before a job that never ran.
    Plan plan = plan_of({{0, 3}, {0, 10}, {0, 10}, {0, 10}}, {pool_of(3, 1)});
    plan.classes[0].checkpoint = Checkpoint::none;
    for (const std::uint32_t node : {1U, 2U})
        plan.world.emplace_back(3'000, NodeOffline{.node = node});
    for (const auto& [queue, preemption] :
         {std::pair{"fifo", "quantum"}, std::pair{"las", "order"}}) {
        PolicyChoice choice{queue, HeadRule::skip};
        choice.capacity = capacity_count;
        choice.preemption = preemption;
        choice.quantum = 2 * second;
        CAPTURE(name_of(choice));
        const Run run = run_of(plan, choice);
        CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{3'000, 10'000, 20'000, 30'000});
    }
}

TEST_CASE("a pool or a shape that two causes close opens once both have ended") {
    // Closed by maintenance during [0, 20 s) and by a budget during [10 s, 50 s).
    const auto closed = [](auto admission) {
        Plan plan = plan_of({{5, 10, 1}}, {pool_of(1, 4)});
        plan.admission_changes = true;
        for (const auto& [time_ms, opens, cause] :
             {std::tuple{0, false, StopCause::maintenance},
              std::tuple{10'000, false, StopCause::budget},
              std::tuple{20'000, true, StopCause::maintenance},
              std::tuple{50'000, true, StopCause::budget}}) {
            admission.opens = opens;
            admission.cause = cause;
            plan.world.emplace_back(time_ms, admission);
        }
        return plan;
    };
    for (const Plan& plan : {closed(PoolAdmission{}), closed(ShapeAdmission{})})
        for (const PolicyChoice& choice : choices()) {
            CAPTURE(name_of(choice));
            CHECK(run_of(plan, choice).jobs.start_ms == std::vector<std::int64_t>{50'000});
        }
}

TEST_CASE(
    "conservative backfilling promises starts by what returning jobs have left, or have had") {
    // Two GPUs, whose nodes go into maintenance at 8 s; one is back at 9 s. The first job has had 8
    // s and has 2 s left, the other has had 3 s and has 5 s left.
    Plan plan = plan_of({{0, 10}, {5, 8}}, {pool_of(2, 1)});
    for (const std::uint32_t node : {0U, 1U})
        plan.world.emplace_back(8'000, NodeOffline{.node = node, .cause = StopCause::maintenance});
    plan.world.emplace_back(9'000, NodeOnline{.node = 0, .cause = StopCause::maintenance});
    for (const std::string_view capacity : {capacity_count, capacity_nodes}) {
        PolicyChoice choice{"srtf", HeadRule::block, std::string{capacity}};
        choice.backfill = "conservative";
        choice.preemption = "none";
        CAPTURE(name_of(choice));
        CHECK(run_of(plan, choice).jobs.finish_ms == std::vector<std::int64_t>{11'000, 16'000});
        choice.queue = "las";
        choice.queue_options.set("levels", {5'000});
        CHECK(run_of(plan, choice).jobs.finish_ms == std::vector<std::int64_t>{16'000, 14'000});
    }
}

} // namespace bursar::test::stops_by_hand_test
