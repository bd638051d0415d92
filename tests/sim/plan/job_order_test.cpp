#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "sim/plan/job_order.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::job_order_test {
namespace {

struct LeastWork {
    [[nodiscard]] std::uint64_t key(const JobView& job) const {
        return static_cast<std::uint64_t>(job.run_time.count());
    }
};

/// Keys of every width, with many ties.
std::int64_t draw_key() {
    const auto bits = *rc::gen::inRange(0U, 63U);
    return *rc::gen::inRange<std::int64_t>(0, 16) << (bits > 58 ? 58 : bits);
}

} // namespace

TEST_CASE("dealing keys into buckets gives the order of a plain sort, for keys of every size") {
    CHECK(rc::check([] {
        std::vector<test::JobSpec> jobs;
        const int num_jobs = *rc::gen::inRange(1, 300);
        for (int j = 0; j < num_jobs; ++j)
            jobs.push_back({j, 0, *rc::gen::inRange(1U, 4U)});
        Plan plan = test::plan_of(jobs, {test::pool_of(1, 4)});
        for (std::int64_t& work : plan.work_ms)
            work = draw_key();

        std::vector<JobId> expected(plan.num_jobs());
        std::iota(expected.begin(), expected.end(), JobId{0});
        std::ranges::sort(expected, {}, [&](JobId job) {
            return std::tuple{plan.shape[job], plan.work_ms[job], job};
        });
        const JobOrder order = order_jobs(plan, LeastWork{});
        RC_ASSERT(order.job_at == expected);
        for (std::uint32_t at = 0; at < order.job_at.size(); ++at)
            RC_ASSERT(order.position[order.job_at[at]] == at);
    }));
}

} // namespace bursar::job_order_test
