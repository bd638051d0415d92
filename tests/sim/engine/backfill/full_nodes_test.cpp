#include <doctest/doctest.h>

#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::full_nodes_test {

TEST_CASE("a reservation finds its nodes if every GPU is held by a different gang") {
    // 4 GPUs, 4 gangs of 1, and a head that needs both nodes when they have ended.
    const Plan plan = plan_of(
        {{0, 10, 1}, {0, 10, 1}, {0, 10, 1}, {0, 20, 1}, {1, 5, 4}, {2, 3, 1}}, {pool_of(2, 2)});
    PolicyChoice choice{"fifo", HeadRule::block, "nodes", "consolidated"};
    choice.backfill = "easy";
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 0, 0, 0, 20'000, 10'000});
}

} // namespace bursar::test::full_nodes_test
