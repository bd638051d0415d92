#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::steps_at_rounds_test {
namespace {

Run run_las_at_rounds(const Plan& plan) {
    PolicyChoice choice{"las", HeadRule::skip, "count"};
    choice.quantum = 10 * second;
    choice.queue_options.set("levels", {1'000, 3'000});
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

} // namespace

TEST_CASE("a job whose level changes and whose work ends before the round keeps its GPU") {
    // It falls a level at 1 s, ends its work at 2 s and cleans up until 12 s; the round is at 10 s.
    Plan plan = plan_of({{0, 2, 1}, {5, 1, 1}}, {pool_of(1, 1)});
    plan.classes[0].teardown = 10 * second;
    const Run run = run_las_at_rounds(plan);
    CHECK(run.outcome.num_preempted == 0);
    CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{12'000, 31'000});
}

TEST_CASE("a job that falls two levels before the round has fallen two levels") {
    // The first falls at 1 s and at 3 s; the second comes at 5 s and goes before it at 10 s.
    const Plan plan = plan_of({{0, 25, 1}, {5, 2, 1}}, {pool_of(1, 1)});
    const Run run = run_las_at_rounds(plan);
    CHECK(run.outcome.num_preempted == 1);
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 10'000});
    CHECK(run.jobs.finish_ms == std::vector<std::int64_t>{35'000, 12'000});
}

} // namespace bursar::test::steps_at_rounds_test
