#include <doctest/doctest.h>

#include "policies/queue/smallest.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::smallest_test {

TEST_CASE("smallest orders by the number of GPUs and nothing else") {
    const SmallestGangFirst policy;
    JobView small;
    small.gpus = 2;
    small.run_time = Duration{1'000'000};
    JobView large;
    large.gpus = 3;
    CHECK(policy.key(small) < policy.key(large));
    large.gpus = 2;
    CHECK(policy.key(small) == policy.key(large));
}

// 4 GPUs are busy until 10 s; then jobs of 2 and 1 fit together, and that of 4 after both.
TEST_CASE("smallest lets the large gang that came first go last") {
    const Plan plan = test::plan_of({{0, 10, 4}, {1, 5, 4}, {2, 5, 2}, {3, 7, 1}, {4, 5, 1}},
                                    {test::pool_of(1, 4)});
    const PolicyChoice choice{"smallest", HeadRule::block, "count", ""};
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 17'000, 10'000, 10'000, 10'000});
}

} // namespace bursar::smallest_test
