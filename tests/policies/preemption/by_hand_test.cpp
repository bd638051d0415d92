#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "policies/rules/value_trade.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::by_hand_test {
namespace {

PolicyChoice choice_of(std::string preemption, std::string capacity = "count") {
    PolicyChoice choice;
    choice.head = HeadRule::skip;
    choice.capacity = std::move(capacity);
    choice.preemption = std::move(preemption);
    return choice;
}

Run run_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

/// One pool of one node; job j has priority[j].
Plan plan_with(const std::vector<JobSpec>& jobs,
               std::vector<std::int32_t> priority,
               std::uint32_t nodes,
               std::uint32_t gpus_per_node) {
    Plan plan = plan_of(jobs, {pool_of(nodes, gpus_per_node)});
    plan.priority = std::move(priority);
    return plan;
}

std::vector<std::uint32_t> stopped_jobs(const Run& run) {
    std::vector<std::uint32_t> out;
    for (const StoppedAttempt& attempt : run.jobs.stopped)
        out.push_back(attempt.job);
    std::sort(out.begin(), out.end());
    return out;
}

std::int64_t start_s(const Run& run, std::uint32_t job) {
    return run.jobs.start_ms[job] / 1000;
}

using Jobs = std::vector<std::uint32_t>;

} // namespace

TEST_CASE("two victims for one gang, and no unneeded ones") {
    // 4 GPUs: three jobs of 1 GPU and a free GPU; at 10 s an urgent gang of 3 arrives.
    const Plan plan =
        plan_with({{0, 100, 1}, {1, 100, 1}, {2, 100, 1}, {10, 5, 3}}, {0, 0, 0, 1}, 1, 4);
    const Run run = run_of(plan, choice_of("priority"));
    CHECK(start_s(run, 3) == 10);
    CHECK((stopped_jobs(run) == Jobs{1, 2})); // the latest of equal ones
    CHECK(run.jobs.last_start(1) == 15'000);
    CHECK(run.jobs.finish_ms[1] == 15'000 + 91'000); // nothing is lost by default
    CHECK(run.outcome.num_preempted == 2);
}

TEST_CASE("one large victim is enough if it makes room for the gang") {
    // Jobs of 1, 1 and 6 GPUs fill a node; taken in order of loss, then largest first.
    const Plan plan =
        plan_with({{0, 100, 1}, {0, 100, 1}, {0, 100, 6}, {10, 5, 4}}, {0, 0, 0, 1}, 1, 8);
    CHECK((stopped_jobs(run_of(plan, choice_of("priority"))) == Jobs{2}));
}

TEST_CASE("victims: the lowest priority first, then the least loss") {
    Plan plan = plan_with({{0, 100, 1}, {0, 100, 1}, {5, 100, 1}, {9, 5, 1}}, {1, 0, 0, 2}, 1, 3);
    plan.classes[0].checkpoint = Checkpoint::none;
    const Run run = run_of(plan, choice_of("priority"));
    CHECK((stopped_jobs(run) == Jobs{2})); // 4 s of work instead of 9 s
    CHECK(run.jobs.stopped[0].lost_ms == 4'000);
    CHECK(run.outcome.cell(0, 0, Leaf::lost_preempt) == slot_time(slots_per_gpu, 4 * second));
    CHECK(run.outcome.num_preempted_without_progress == 1);
}

TEST_CASE("a gang loses the time of all its GPUs") {
    // At 10 s a job of 4 GPUs would lose 10 s on each, one of 1 GPU that began at 5 s loses 5 s,
    // and one that began at 0 s 10 s: the two small ones lose 15 GPU-s, the gang 40.
    Plan plan = plan_with(
        {{0, 100, 4}, {0, 100, 1}, {5, 100, 1}, {10, 5, 1}, {10, 5, 1}}, {0, 0, 0, 1, 1}, 1, 6);
    plan.classes[0].checkpoint = Checkpoint::none;
    CHECK((stopped_jobs(run_of(plan, choice_of("priority"))) == Jobs{1, 2}));
    // If all work is saved, the save and the recovery are lost.
    plan.classes[0].checkpoint = Checkpoint::on_preempt;
    plan.classes[0].recovery = 3 * second;
    CHECK((stopped_jobs(run_of(plan, choice_of("priority"))) == Jobs{1, 2}));
}

TEST_CASE("a job of equal priority waits") {
    const Plan plan = plan_with({{0, 50, 2}, {10, 5, 2}}, {3, 3}, 1, 2);
    const Run run = run_of(plan, choice_of("priority"));
    CHECK(run.jobs.stopped.empty());
    CHECK(start_s(run, 1) == 50);
}

TEST_CASE("victims are on the nodes that the gang gets") {
    // Two nodes of 4: node 0 holds jobs of 3 and 1, node 1 a job of 2 with 2 free. A gang of 4
    // needs a whole node: stopping the job of 2 is enough.
    const Plan plan =
        plan_with({{0, 100, 3}, {1, 100, 1}, {2, 100, 2}, {10, 5, 4}}, {0, 0, 0, 1}, 2, 4);
    const Run run = run_of(plan, choice_of("priority", "nodes"));
    CHECK((stopped_jobs(run) == Jobs{2}));
    CHECK(start_s(run, 3) == 10);
}

TEST_CASE("an attempt may be stopped after its least run") {
    const Plan plan = plan_with({{0, 100, 1}, {10, 5, 1}}, {0, 1}, 1, 1);
    PolicyChoice choice = choice_of("priority");
    choice.preemption_options.set("min_run", {60'000});
    CHECK(start_s(run_of(plan, choice), 1) == 60);
}

TEST_CASE("a victim works during its grace, which delays the start in addition to the save") {
    Plan plan = plan_with({{0, 100, 1}, {10, 5, 1}, {11, 5, 1}}, {0, 1, 0}, 1, 1);
    plan.classes[0].save = 3 * second;
    PolicyChoice choice = choice_of("priority");
    choice.preemption_options.set("grace", {20'000});
    const Run run = run_of(plan, choice);
    CHECK(start_s(run, 1) == 10 + 20 + 3);
    CHECK(run.jobs.stopped[0].kept_ms == 30'000);
    CHECK(run.outcome.cell(0, 0, Leaf::over_checkpoint) == slot_time(slots_per_gpu, 3 * second));
    CHECK(run.jobs.finish_ms[0] == (38 + 70) * 1000);
    // A victim that ends within its grace was not preempted.
    choice.preemption_options.set("grace", {90'000});
    CHECK(run_of(plan, choice).jobs.stopped.empty());
}

TEST_CASE("a job that reached the limit of preemptions runs to its end") {
    const Plan plan =
        plan_with({{0, 100, 1}, {10, 5, 1}, {20, 5, 1}, {30, 5, 1}}, {0, 1, 1, 1}, 1, 1);
    PolicyChoice choice = choice_of("priority");
    CHECK(run_of(plan, choice).jobs.stopped.size() == 3);
    choice.preemption_options.set("max_per_job", {2});
    const Run run = run_of(plan, choice);
    CHECK(run.jobs.stopped.size() == 2);
    CHECK(run.jobs.finish_ms[0] == 110'000);
    CHECK(start_s(run, 3) == 110);
}

TEST_CASE("value stops a job if that delivers more per hour") {
    // Job 0 delivers 100 over the 90 s that it still needs; job 1 arrives at 10 s and needs 30 s.
    // The toll of stopping job 0 is 100 x 30 / 90 rounded up: 34.
    Plan plan = plan_of({{0, 100, 1}, {10, 30, 1}}, {pool_of(1, 1)});
    plan.value_nano_usd = {100, 34};
    CHECK(run_of(plan, choice_of("value")).jobs.stopped.empty());
    plan.value_nano_usd = {100, 35};
    CHECK(start_s(run_of(plan, choice_of("value")), 1) == 10);
    // 45 s to recover makes it 100 x 75 / 90.
    plan.classes[0].recovery = 45 * second;
    plan.value_nano_usd = {100, 84};
    CHECK(run_of(plan, choice_of("value")).jobs.stopped.empty());
    plan.value_nano_usd = {100, 85};
    CHECK(run_of(plan, choice_of("value")).jobs.stopped.size() == 1);
    CHECK(ValueTrade::toll(100, 90'000, 45'000, 30'000) == 84);
    CHECK(ValueTrade::toll(std::int64_t{1} << 62, 1, 9, 9) ==
          std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("rounds: a job that fits waits for the next round, which is idle.latency") {
    const Plan plan = plan_of({{0, 10, 1}, {5, 10, 1}, {7, 10, 2}}, {pool_of(1, 3)});
    PolicyChoice choice = choice_of("none");
    choice.quantum = 20 * second;
    const Run run = run_of(plan, choice);
    CHECK(start_s(run, 0) == 0);
    CHECK(start_s(run, 1) == 20);
    CHECK(start_s(run, 2) == 20);
    const auto idle = [&](Leaf leaf) { return run.outcome.cell(0, 1, leaf); };
    // From 5 s on job 1 could have 1 GPU. From 7 s on, the other free GPU is too few for job 2,
    // which is idle.gang. From 10 s, when job 0 ends, both could start.
    CHECK(idle(Leaf::idle_latency) == slot_time(slots_per_gpu, (5 + 3 * 10) * second));
    CHECK(idle(Leaf::idle_gang) == slot_time(slots_per_gpu, 3 * second));
    CHECK(idle(Leaf::idle_no_demand) == slot_time(slots_per_gpu, (2 * 5 + 2) * second));
}

TEST_CASE("under a quantum jobs take turns, least recently served first, and others keep running") {
    const Plan plan = plan_of({{0, 30, 1}, {1, 20, 1}, {2, 10, 1}}, {pool_of(1, 1)});
    PolicyChoice choice = choice_of("quantum");
    choice.quantum = 10 * second;
    const Run run = run_of(plan, choice);
    // 0: job 0, 10: job 1, 20: job 2, 30: job 0, 40: job 1, 50: job 0.
    CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{60'000, 50'000, 30'000});
    CHECK(run.outcome.num_preempted == 3);
    // Alone at a round, a job runs on without a stop.
    const Run alone = run_of(plan_of({{0, 95, 1}}, {pool_of(1, 1)}), choice);
    CHECK(alone.outcome.num_started == 1);
}

TEST_CASE("a turn lasts until some of its work is durable") {
    Plan plan = plan_of({{0, 30, 1}, {1, 25, 1}}, {pool_of(1, 1)});
    PolicyChoice choice = choice_of("quantum");
    choice.quantum = 10 * second;
    plan.classes[0].startup = plan.classes[0].recovery = 15 * second; // longer than a round
    const Run slow = run_of(plan, choice);
    // 0-20: job 0 does 5 s, 20-40: job 1 does 5, 40-60: job 0 10 s in all, 60-80: job 1 too, ...
    // job 0 does its 6th 5 s by 220, job 1 its 5th by 200.
    CHECK(slow.jobs.finish_ms == std::vector<std::int64_t>{220'000, 200'000});
    CHECK(slow.outcome.num_preempted == 9);
    CHECK(slow.outcome.num_preempted_without_progress == 0);
    plan.classes[0].checkpoint = Checkpoint::none; // no work would become durable
    const Run whole = run_of(plan, choice);
    CHECK(whole.jobs.finish_ms == std::vector<std::int64_t>{45'000, 90'000});
    CHECK(whole.outcome.num_preempted == 0);
}

TEST_CASE("jobs past their estimates have no time left, and the first submitted goes first") {
    // Two GPUs and jobs with estimates of 0. The gang waits until the first job ends. Meanwhile the
    // third runs, also past its estimate, and is then preempted by the gang.
    Plan plan = plan_of({{0, 4, 1}, {1, 3, 2}, {2, 5, 1}}, {pool_of(2, 1)});
    plan.estimate_ms = {0, 0, 0};
    for (const char* capacity : {"count", "nodes"}) {
        PolicyChoice choice = choice_of("order", capacity);
        choice.queue = "srtf";
        for (const std::int64_t by_gpu_time : {0, 1}) {
            CAPTURE(capacity);
            CAPTURE(by_gpu_time);
            choice.queue_options.set("by", {by_gpu_time});
            const Run run = run_of(plan, choice);
            CHECK((stopped_jobs(run) == Jobs{2}));
            CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{4'000, 7'000, 10'000});
        }
    }
}

} // namespace bursar::test::by_hand_test
