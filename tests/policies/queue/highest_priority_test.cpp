#include <limits>

#include <doctest/doctest.h>

#include "policies/queue/highest_priority.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::highest_priority_test {

TEST_CASE("priority orders by priority over its whole range") {
    const HighestPriorityFirst policy;
    JobView job;
    std::uint64_t last = 0;
    for (const std::int32_t priority : {std::numeric_limits<std::int32_t>::max(),
                                        7,
                                        1,
                                        0,
                                        -1,
                                        std::numeric_limits<std::int32_t>::min()}) {
        CAPTURE(priority);
        job.priority = priority;
        CHECK((priority == std::numeric_limits<std::int32_t>::max() || policy.key(job) > last));
        last = policy.key(job);
    }
}

TEST_CASE("priority serves the higher first, and equal ones by submission, over all shapes") {
    Plan plan = test::plan_of({{0, 10, 2}, {1, 10, 2}, {2, 10, 1}, {3, 10, 2}, {4, 10, 2}},
                              {test::pool_of(1, 2)});
    plan.priority = {0, -5, 10, 10, 10};
    const PolicyChoice choice{"priority", HeadRule::block, "count", ""};
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 40'000, 10'000, 20'000, 30'000});
}

} // namespace bursar::highest_priority_test
