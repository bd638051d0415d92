#include <doctest/doctest.h>

#include "policies/queue/earliest_deadline.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::earliest_deadline_test {

TEST_CASE("edf orders by deadline, and a job without one comes last") {
    const EarliestDeadlineFirst policy;
    JobView soon;
    soon.deadline = Duration{1};
    JobView late;
    late.deadline = Duration{horizon_ms};
    const JobView never;
    CHECK(policy.key(soon) < policy.key(late));
    CHECK(policy.key(late) < policy.key(never));
}

TEST_CASE("edf serves the earliest deadline, met or missed, ties by submission") {
    Plan plan = test::plan_of({{0, 10, 1}, {1, 10, 1}, {2, 10, 1}, {3, 10, 1}, {4, 10, 1}},
                              {test::pool_of(1, 1)});
    plan.deadline_ms = {no_deadline_ms, no_deadline_ms, 90'000, 5'000, 90'000};
    const PolicyChoice choice{"edf", HeadRule::block, "count", ""};
    Workspace workspace;
    const Run run = simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace);
    CHECK(run.jobs.start_ms == std::vector<std::int64_t>{0, 40'000, 20'000, 10'000, 30'000});
}

} // namespace bursar::earliest_deadline_test
