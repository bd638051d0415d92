#include <vector>

#include <doctest/doctest.h>

#include "policies/rules/finish_time.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::finish_time_test {
namespace {

std::vector<std::int64_t> starts(const Plan& plan) {
    const PolicyChoice choice{"ftf", HeadRule::block, "count", ""};
    Workspace workspace;
    return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace).jobs.start_ms;
}

} // namespace

TEST_CASE("ftf: a gang k times larger than its share runs k times slower in isolation") {
    constexpr double one = 1U << FinishTimeRule::stretch_bits;
    const FleetTotals fleet{8'000, 0, 0, 0};
    const auto stretch = [&](std::uint32_t gpus, std::uint64_t weight, std::uint64_t all) {
        return static_cast<double>(FinishTimeRule{}.stretch({gpus, 1}, weight, all, fleet)) / one;
    };
    CHECK(stretch(1, 1, 4) == 1); // its share is 2 GPUs
    CHECK(stretch(2, 1, 4) == 1);
    CHECK(stretch(4, 1, 4) == 2);
    CHECK(stretch(4, 3, 12) == 2); // the same share, by weights
    CHECK(stretch(8, 1, 100) == 100);
    CHECK(stretch(8, 1, std::uint64_t{1} << 52U) * one == FinishTimeRule::max_stretch);
}

// One GPU: every share is too small by the same factor, so rho is proportional to (elapsed + run) /
// run.
//   at 0: 1 and 1, and job 0 was submitted first
//   at 20 s: job 1 (20 + 40) / 40 = 1.5; job 2 (10 + 10) / 10 = 2 -> job 2
//   at 30 s: job 1 (30 + 40) / 40 = 1.75; job 3 (1 + 2) / 2 = 1.5 -> job 1
TEST_CASE("ftf serves the job that waited longest for its length, not the shortest") {
    const Plan plan =
        test::plan_of({{0, 20, 1}, {0, 40, 1}, {10, 10, 1}, {29, 2, 1}}, {test::pool_of(1, 1)});
    CHECK(starts(plan) == std::vector<std::int64_t>{0, 30'000, 20'000, 70'000});
}

// 4 GPUs, busy until 10 s. Then there are 3 jobs (job 0 has ended), with shares of 4/3 of a GPU. On
// that the gang of 4 takes 3 times its 10 s, so its wait of 9 s matters less than those of the
// small jobs:
//   job 1: (9 + 10) / 30; job 2 and 3: (8 + 40) / 40 and (7 + 40) / 40
TEST_CASE("ftf compares a gang with its run time on its share") {
    const Plan plan =
        test::plan_of({{0, 10, 4}, {1, 10, 4}, {2, 40, 1}, {3, 40, 1}}, {test::pool_of(1, 4)});
    CHECK(starts(plan) == std::vector<std::int64_t>{0, 50'000, 10'000, 10'000});
}

} // namespace bursar::finish_time_test
