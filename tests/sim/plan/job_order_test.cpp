#include <algorithm>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include <doctest/doctest.h>

#include "sim/plan/job_order.hpp"

#include "tests/plan_builder.hpp"
#include "tests/properties.hpp"

namespace bursar::job_order_test {
namespace {

/// Keys of every width, with many ties: `num_bits` that may differ, from some bit on.
std::vector<std::uint64_t> draw_keys(std::size_t num_keys) {
    const auto width = drawn::in_range(0U, 65U);
    const auto shift = drawn::in_range(0U, 65U - width);
    const auto common = drawn::bits();
    std::vector<std::uint64_t> keys;
    for (std::size_t i = 0; i < num_keys; ++i) {
        const bool is_round = drawn::boolean();
        const auto number = drawn::bits() & (is_round ? 15U : ~0U);
        const std::uint64_t mask =
            width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
        const std::uint64_t own = width == 0 ? 0 : (number & mask) << shift;
        if (drawn::in_range(0, 5) == 4) { // the last key
            keys.push_back(~std::uint64_t{0});
            continue;
        }
        keys.push_back((common & ~(width == 0 ? 0 : mask << shift)) | own);
    }
    return keys;
}

} // namespace

TEST_CASE("the radix sort gives the order of a plain sort, for keys of every size") {
    CHECK(check_property([] {
        std::vector<test::JobSpec> jobs;
        const int num_jobs = drawn::in_range(1, 300);
        for (int j = 0; j < num_jobs; ++j)
            jobs.push_back({j, 0, drawn::in_range(1U, 4U)});
        const Plan plan = test::plan_of(jobs, {test::pool_of(1, 4)});
        const std::vector<std::uint64_t> key = draw_keys(plan.num_jobs());

        std::vector<JobId> expected(plan.num_jobs());
        std::iota(expected.begin(), expected.end(), JobId{0});
        std::ranges::sort(expected, {}, [&](JobId job) { return std::tuple{key[job], job}; });
        const JobOrder line = order_by_keys(plan, key, OrderLayout::one_line);
        RC_ASSERT(line.job_at == expected);
        for (std::uint32_t at = 0; at < line.job_at.size(); ++at) {
            RC_ASSERT(line.position[line.job_at[at]] == at);
            RC_ASSERT(line.shape_at[at] == plan.shape[line.job_at[at]]);
        }

        std::ranges::stable_sort(expected, {}, [&](JobId job) { return plan.shape[job]; });
        const JobOrder shapes = order_by_keys(plan, key, OrderLayout::by_shape);
        RC_ASSERT(shapes.job_at == expected);
        for (std::uint32_t at = 0; at < shapes.job_at.size(); ++at) {
            RC_ASSERT(shapes.position[shapes.job_at[at]] == at);
            RC_ASSERT(shapes.key[at] == key[shapes.job_at[at]]);
            const std::uint16_t shape = plan.shape[shapes.job_at[at]];
            RC_ASSERT(shapes.shape_begin[shape] <= at);
            RC_ASSERT(at < shapes.shape_begin[shape + 1]);
        }
    }));
}

TEST_CASE("a plan without jobs has an order") {
    const Plan plan = test::plan_of({}, {test::pool_of(1, 4)});
    CHECK(order_by_keys(plan, {}, OrderLayout::one_line).job_at.empty());
    CHECK(order_by_keys(plan, {}, OrderLayout::by_shape).job_at.empty());
}

} // namespace bursar::job_order_test
