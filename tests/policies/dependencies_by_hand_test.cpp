#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "sim/engine/nodes/ideal_run.hpp"
#include "sim/record/metrics.hpp"

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/every_choice.hpp"

// Jobs that wait for others, under policies of every kind.
namespace bursar::test::dependencies_by_hand_test {
namespace {

using Times = std::vector<std::int64_t>;

/// One node of four GPUs, and jobs by seconds. needs[j]: the jobs that job j waits for.
Plan plan_with(const std::vector<JobSpec>& jobs,
               const std::vector<std::vector<std::uint32_t>>& needs,
               const Times& think_s) {
    Plan plan = plan_of(jobs, {pool_of(1, 4)});
    std::vector<std::vector<std::uint32_t>> dependents(jobs.size());
    for (std::uint32_t job = 0; job < jobs.size(); ++job) {
        plan.num_needed.push_back(static_cast<std::uint32_t>(needs[job].size()));
        for (const std::uint32_t other : needs[job])
            dependents[other].push_back(job);
        plan.think_ms.push_back(1000 * think_s[job]);
    }
    plan.dependent_begin = {0};
    for (const auto& own : dependents) {
        plan.dependents.insert(plan.dependents.end(), own.begin(), own.end());
        plan.dependent_begin.push_back(static_cast<std::uint32_t>(plan.dependents.size()));
    }
    return plan;
}

Run run_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::timeline, workspace);
}

SlotTime gpu_seconds(int gpus_times_seconds) {
    return slot_time(std::int64_t{gpus_times_seconds} * slots_per_gpu, second);
}

/// Orders of every kind, backfill, preemption and rounds of 1 s.
std::vector<PolicyChoice> choices() {
    std::vector<PolicyChoice> all;
    for (const char* queue : {"fifo", "sjf", "srtf", "las", "fair-share", "multifactor", "ftf"})
        for (const char* capacity : {"count", "nodes"}) {
            all.push_back({queue, HeadRule::block, capacity});
            all.back().backfill = "easy";
            all.push_back({queue, HeadRule::skip, capacity});
        }
    all.push_back({"fifo", HeadRule::block, "count"});
    all.push_back(all.back());
    all.back().backfill = "conservative";
    all.push_back({"srtf", HeadRule::skip, "count"});
    all.back().preemption = "order";
    all.push_back({"las", HeadRule::skip, "count"});
    all.back().preemption = "quantum";
    all.back().quantum = second;
    all.push_back({"priority", HeadRule::skip, "nodes"});
    all.back().preemption = "priority";
    return all;
}

} // namespace

TEST_CASE("a job waits for GPUs once those that it needs have ended, and its think time is over") {
    // The second waits for the first, then thinks for 5 s; the third waits for both. Nothing else
    // runs, so that its GPUs have no demand meanwhile.
    const Plan plan = plan_with({{0, 10, 4}, {0, 20, 4}, {3, 10, 2}}, {{}, {0}, {0, 1}}, {0, 5, 1});
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Run run = run_of(plan, choice);
        CHECK(run.jobs.start_ms == Times{0, 15'000, 36'000});
        CHECK(run.jobs.finish_ms == Times{10'000, 35'000, 46'000});
        CHECK(run.jobs.eligible_ms == Times{0, 15'000, 36'000});
        CHECK(run.outcome.end == 46 * second);
        CHECK(run.outcome.cell(0, 1, Leaf::idle_no_demand) == gpu_seconds(4 * 6 + 2 * 10));
        CHECK(run.outcome.num_queued_at_end == 0);
    }
}

TEST_CASE("waits and slowdowns count from then, and completion times from the submit") {
    const Plan plan = plan_with({{0, 10, 4}, {0, 20, 4}, {0, 10, 4}}, {{}, {0}, {0}}, {0, 0, 0});
    const PolicyChoice choice{"fifo", HeadRule::block, "count"};
    const Run run = run_of(plan, choice);
    CHECK(run.jobs.start_ms == Times{0, 10'000, 30'000});
    const Metrics metrics = measure(plan, run.jobs, ideal_run_times(plan), run.outcome.end);
    CHECK(metrics.wait.max == 20'000); // of the third: 20 s after the first ended
    CHECK(metrics.jct.max == 40'000);
    CHECK(metrics.slowdown.max == 3'000'000); // 30 s for 10 s
    CHECK(metrics.queued_total.max == 20'000);
    // The queue has the third alone, for those 20 s.
    CHECK(metrics.queue.job_ms == 20'000);
}

TEST_CASE(
    "a job that is submitted later than those that it needs have ended does not wait for them") {
    const Plan plan = plan_with({{0, 10, 4}, {12, 10, 4}, {12, 10, 4}}, {{}, {0}, {0}}, {0, 2, 9});
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Run run = run_of(plan, choice);
        CHECK(run.jobs.eligible_ms == Times{0, 12'000, 19'000});
        CHECK(run.jobs.finish_ms == Times{10'000, 22'000, 32'000});
    }
}

TEST_CASE("jobs that wait for one that never ends, or for each other, are left and hold nothing") {
    Plan plan = plan_with(
        {{0, 10, 4}, {0, 10, 4}, {0, 10, 4}, {1, 10, 4}}, {{}, {2}, {1}, {0}}, {0, 0, 0, 0});
    ++plan.num_needed[3]; // one that fails
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Run run = run_of(plan, choice);
        CHECK(run.outcome.end == 10 * second);
        CHECK(run.outcome.num_finished == 1);
        CHECK(run.outcome.num_queued_at_end == 0);
        CHECK(run.jobs.phase == std::vector<JobPhase>{JobPhase::finished,
                                                      JobPhase::dependent,
                                                      JobPhase::dependent,
                                                      JobPhase::dependent});
        CHECK(run.outcome.cell(0, 1, Leaf::idle_no_demand) == SlotTime{});
    }
}

TEST_CASE("a job that waits for others is not waiting for GPUs, as the reasons of waits say") {
    const Plan plan = plan_with({{0, 10, 4}, {0, 20, 4}, {0, 10, 4}}, {{}, {0}, {0}}, {0, 0, 3});
    const Run run = run_of(plan, {"fifo", HeadRule::block, "count"});
    REQUIRE(run.jobs.waits.size() == 3);
    const auto all = [&](std::size_t job) {
        std::int64_t sum = 0;
        for (const std::int64_t ms : run.jobs.waits[job])
            sum += ms;
        return sum;
    };
    CHECK(all(0) == 0);
    CHECK(all(1) == 0);
    CHECK(all(2) == 17'000); // from 13 s to 30 s
}

} // namespace bursar::test::dependencies_by_hand_test
