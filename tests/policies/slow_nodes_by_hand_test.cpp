#include <vector>

#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"
#include "tests/policies/properties/every_choice.hpp"

namespace bursar::test::slow_nodes_by_hand_test {
namespace {

/// Two nodes of four GPUs, the second half as fast: the fast GPUs of a gang on both wait for it.
Plan with_slow_node(const std::vector<JobSpec>& jobs) {
    Plan plan = plan_of(jobs, {pool_of(2, 4)});
    plan.slow_nodes = {0, 1};
    plan.slow_begin = {0};
    plan.classes[0].speed_row = 1;
    plan.speeds = {{reference_speed, {}},
                   {reference_speed / 2, {0, 0, 0, plan.shapes[0].slots() / 2}}};
    return plan;
}

Run run_of(const Plan& plan, const PolicyChoice& choice) {
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

SlotTime gpu_seconds(int gpus_times_seconds) {
    return slot_time(std::int64_t{gpus_times_seconds} * slots_per_gpu, second);
}

std::vector<PolicyChoice> choices() {
    std::vector<PolicyChoice> all;
    for (const char* queue : {"fifo", "sjf", "srtf", "las", "fair-share"}) {
        all.push_back({queue, HeadRule::skip});
        all.back().placement = "first-fit";
    }
    return all;
}

} // namespace

TEST_CASE("a gang runs at the speed of its slowest node") {
    const Plan plan = with_slow_node({{0, 100, 8}});
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Outcome outcome = run_of(plan, choice).outcome;
        CHECK(outcome.end == 200 * second);
        CHECK(outcome.cell(0, 0, Leaf::stall_sync) == gpu_seconds(8 * 100));
        CHECK(outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(8 * 100));
    }
}

TEST_CASE("a job on other nodes does not wait") {
    const Plan plan = with_slow_node({{0, 100, 4}, {0, 100, 4}});
    for (const PolicyChoice& choice : choices()) {
        CAPTURE(name_of(choice));
        const Run run = run_of(plan, choice);
        CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{100'000, 200'000});
        CHECK(run.outcome.cell(0, 0, Leaf::stall_sync) == gpu_seconds(4 * 100));
        CHECK(run.outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 200));
    }
}

TEST_CASE("work done on a slow node counts at its speed, wherever a job continues") {
    // At second 40 it is stopped on the slow node with 20 s done, and saves; the other job has
    // ended by then, so that it continues there.
    Plan plan = with_slow_node({{0, 70, 4}, {0, 100, 4}});
    plan.world = {{70'000, StopJob{.job = JobId{1}, .cause = StopCause::maintenance}}};
    const Run run = run_of(plan, choices().front());
    CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{70'000, 70'000 + 65'000});
    CHECK(run.outcome.cell(0, 0, Leaf::stall_sync) == gpu_seconds(4 * 35));
    CHECK(run.outcome.cell(0, 0, Leaf::prod_useful) == gpu_seconds(4 * 170));
}

} // namespace bursar::test::slow_nodes_by_hand_test
