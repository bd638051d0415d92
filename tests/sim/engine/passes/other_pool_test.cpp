#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::other_pool_test {
namespace {

/// A pool of two nodes of two GPUs, and one of a single node. At 10 s one GPU of each of the first
/// two nodes is free: a gang of two that comes then has GPUs by count but cannot be placed.
Run run_with(const std::vector<JobSpec>& more) {
    std::vector<JobSpec> jobs{{0, 100, 1}, {0, 10, 1}, {0, 100, 1}, {0, 10, 1}};
    jobs.insert(jobs.end(), more.begin(), more.end());
    const Plan plan = plan_of(jobs, {pool_of(2, 2), pool_of(1, 2)});
    PolicyChoice choice{"fifo", HeadRule::skip, "nodes"};
    choice.preemption = "order";
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
}

} // namespace

TEST_CASE("a job that cannot be placed takes another pool where it can be") {
    const Run run = run_with({{10, 5, 2, 0b11}, {10, 5, 1, 0b01}});
    CHECK(run.jobs.start_ms[4] == 10'000);
    CHECK(run.jobs.pool[4] == 1);
    CHECK(run.jobs.start_ms[5] == 10'000); // on the GPUs it gave up
    CHECK(run.jobs.pool[5] == 0);
    CHECK(run.outcome.num_preempted == 0);
}

TEST_CASE("a job that cannot be placed keeps its GPUs if other pools are in use") {
    const Run run = run_with({{1, 200, 2, 0b10}, {10, 5, 2, 0b11}, {10, 5, 1, 0b01}});
    CHECK(run.jobs.start_ms[4] == 1'000);
    CHECK(run.jobs.start_ms[5] == 100'000); // when the first job ends
    CHECK(run.jobs.pool[5] == 0);
    CHECK(run.jobs.start_ms[6] == 100'000); // until then both GPUs are held
}

} // namespace bursar::test::other_pool_test
