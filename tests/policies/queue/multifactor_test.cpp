#include <cmath>
#include <vector>

#include <doctest/doctest.h>

#include "policies/queue/multifactor.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::multifactor_test {
namespace {

constexpr double one = 1U << 24U; ///< a factor of 1

MultifactorRule
weighing(std::int64_t age, std::int64_t size, std::int64_t fair_share, std::int64_t priority) {
    PolicyOptions options;
    options.set("age", {age});
    options.set("size", {size});
    options.set("fair_share", {fair_share});
    options.set("priority", {priority});
    return Multifactor::from(options);
}

/// The sum of weighted factors.
double
points(const MultifactorRule& policy, std::uint64_t share, std::uint64_t merit, Duration age) {
    return static_cast<double>(~policy.rank(share, merit, age.count())) / one;
}

} // namespace

TEST_CASE("multifactor: age rises to max_age and no further") {
    const MultifactorRule policy = weighing(1000, 0, 0, 0);
    CHECK(points(policy, 0, 0, Duration{0}) == 0);
    CHECK(points(policy, 0, 0, Duration{7 * day.count() / 2}) == 500);
    CHECK(points(policy, 0, 0, Duration{7 * day.count()}) == 1000);
    CHECK(points(policy, 0, 0, Duration{70 * day.count()}) == 1000);
}

TEST_CASE("multifactor: size and priority are shares of the fleet and of the plan's range") {
    Plan plan = test::plan_of({{0, 1, 1}, {0, 1, 4}}, {test::pool_of(2, 4)});
    plan.priority = {-10, 30};
    const auto merit = weighing(0, 100, 0, 1000).merits(plan);
    CHECK(static_cast<double>(merit({4, 1}, -10)) / one == 50);
    CHECK(static_cast<double>(merit({8, 1}, 30)) / one == 1100);
    CHECK(static_cast<double>(merit({2, 1}, 10)) / one == 525);
    PolicyOptions small;
    small.set("favor", {1});
    CHECK(static_cast<double>(Multifactor::from(small).merits(plan)({2, 1}, -10)) / one == 750);
    plan.pools.push_back(test::pool_of(2, 4)); // that no job may use
    CHECK(static_cast<double>(weighing(0, 100, 0, 0).merits(plan)({4, 1}, 0)) / one == 25);
    plan.pools.pop_back();
    plan.priority.clear();
    CHECK(static_cast<double>(weighing(0, 100, 0, 1000).merits(plan)({4, 1}, 0)) / one == 50);
}

TEST_CASE("multifactor: the fair-share factor is 2^-(use over share)") {
    const MultifactorRule policy = weighing(0, 0, 10'000, 0);
    const FleetTotals totals{8'000, 0, 0, 4}; // 8 GPUs, weights of 4
    const auto factor = [&](std::uint64_t gpus, std::uint32_t weight) {
        TenantUse use;
        use.average = gpus * slots_per_gpu << TenantUse::average_bits;
        return static_cast<double>(policy.share(use, weight, totals)) / one / 10'000;
    };
    CHECK(factor(0, 1) == 1);
    CHECK(factor(2, 1) == doctest::Approx(0.5).epsilon(1e-6)); // its share: 2 of 8 GPUs
    CHECK(factor(8, 1) == doctest::Approx(1.0 / 16).epsilon(1e-5));
    CHECK(factor(1, 2) == doctest::Approx(std::exp2(-0.25)).epsilon(1e-6));
    CHECK(factor(8, 4) == doctest::Approx(0.5).epsilon(1e-6));
}

// One GPU, held until 100 s. With age alone the order is that of submission; with priorities the
// third goes first; with a larger weight of age the much older one does again.
TEST_CASE("multifactor weighs age against priority") {
    Plan plan =
        test::plan_of({{0, 100, 1}, {10, 5, 1}, {50, 5, 1}, {90, 5, 1}}, {test::pool_of(1, 1)});
    plan.priority = {0, 0, 0, 1};
    PolicyChoice choice{"multifactor", HeadRule::block, "count", ""};
    choice.queue_options.set("max_age", {100'000});
    choice.queue_options.set("period", {10'000});
    const auto starts = [&] {
        Workspace workspace;
        return simulate(plan, order_for(plan, choice), choice, Record::jobs, workspace)
            .jobs.start_ms;
    };
    // Ages at 100 s: 90, 50 and 10 s of 100: 900, 500 and 100 points.
    choice.queue_options.set("priority", {0});
    CHECK(starts() == std::vector<std::int64_t>{0, 100'000, 105'000, 110'000});
    choice.queue_options.set("priority", {1'000});
    CHECK(starts() == std::vector<std::int64_t>{0, 105'000, 110'000, 100'000});
    choice.queue_options.set("priority", {600}); // 900, 500, 700
    CHECK(starts() == std::vector<std::int64_t>{0, 100'000, 110'000, 105'000});
}

} // namespace bursar::multifactor_test
