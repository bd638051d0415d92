#include <doctest/doctest.h>

#include "sim/plan/job_order.hpp"

#include "policies/queue/first_come.hpp"
#include "policies/queue/shortest_job.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::queue_test {
namespace {

std::vector<std::uint32_t> served(const JobOrder& order) {
    return {order.job_at.begin(), order.job_at.end()};
}

} // namespace

TEST_CASE("fifo keeps the order of submission inside each shape") {
    const Plan plan =
        test::plan_of({{0, 9, 1}, {0, 1, 2}, {1, 5, 1}, {2, 1, 1}}, {test::pool_of(1, 8)});
    const JobOrder order = order_jobs(plan, FirstComeFirstServed{});
    CHECK(served(order) == std::vector<std::uint32_t>{0, 2, 3, 1});
}

TEST_CASE("sjf serves the least run time first, ties by submission") {
    const Plan plan = test::plan_of({{0, 9, 1}, {0, 1, 2}, {1, 5, 1}, {2, 5, 1}, {3, 1, 1}},
                                    {test::pool_of(1, 8)});
    const JobOrder order = order_jobs(plan, ShortestJobFirst{});
    CHECK(served(order) == std::vector<std::uint32_t>{4, 2, 3, 0, 1});
    CHECK(order.position == std::vector<std::uint32_t>{3, 4, 1, 2, 0});
    CHECK(order.shape_begin == std::vector<std::uint32_t>{0, 4, 5});
}

TEST_CASE("sjf uses the estimate if the plan has one") {
    Plan plan = test::plan_of({{0, 9, 1}, {0, 1, 1}, {1, 5, 1}}, {test::pool_of(1, 8)});
    plan.estimate_ms = {2'000, 9'000, 4'000};
    const JobOrder order = order_jobs(plan, ShortestJobFirst{});
    CHECK(served(order) == std::vector<std::uint32_t>{0, 2, 1});
}

} // namespace bursar::queue_test
