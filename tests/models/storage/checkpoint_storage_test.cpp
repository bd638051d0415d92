#include <algorithm>
#include <cmath>
#include <utility>

#include <doctest/doctest.h>

#include "models/errors/model_error.hpp"
#include "models/storage/checkpoint_storage.hpp"

#include "tests/properties.hpp"

namespace bursar::checkpoint_storage_test {

namespace {

StorageTier tier(double usd_per_gb_month, double min_days = 0) {
    StorageTier tier;
    tier.name = "tier";
    tier.usd_per_gb_month = usd_per_gb_month;
    tier.min_days = min_days;
    return tier;
}

RetentionPlan plan_of(std::int64_t keep, std::optional<StorageTier> cold) {
    return {ByteVolume{1000e9}, 10, keep, tier(0.02), std::move(cold)};
}

/// Charged days of hot and cold storage, checkpoint by checkpoint.
std::pair<double, double> charged_days(
    double length, double between, std::int64_t keep, double hot_min_days, double cold_min_days) {
    double hot = 0;
    double cold = 0;
    for (std::int64_t i = 1; static_cast<double>(i) * between <= length; ++i) {
        const double dumped = static_cast<double>(i) * between;
        const double moved = static_cast<double>(i + keep) * between;
        hot += std::max(hot_min_days, std::min(moved, length) - dumped);
        if (moved <= length)
            cold += std::max(cold_min_days, length - moved);
    }
    return {hot, cold};
}

} // namespace

TEST_CASE("the last k checkpoints are hot, the rest cold or deleted") {
    CHECK(monthly_usd(plan_of(3, tier(0.004)), 10) ==
          doctest::Approx(1000 * (3 * 0.02 + 7 * 0.004)));
    CHECK(monthly_usd(plan_of(3, {}), 10) == doctest::Approx(1000 * 3 * 0.02));
    CHECK(monthly_usd(plan_of(3, tier(0.004)), 2) == doctest::Approx(1000 * 2 * 0.02));
    CHECK(monthly_usd(plan_of(3, {}), 0) == 0);
}

TEST_CASE("a run's storage is the sum over its checkpoints") {
    CHECK(check_property("sum", [] {
        // Halves, so that multiples of the interval are exact.
        const double length = drawn::in_range(0, 4000) / 2.0;
        const double between = drawn::in_range(1, 100) / 2.0;
        const auto keep = drawn::in_range<std::int64_t>(1, 40);
        const double hot_min_days = drawn::in_range(0, 60);
        const double cold_min_days = drawn::in_range(0, 200);
        RetentionPlan plan = plan_of(keep, tier(0.004, cold_min_days));
        plan.hot.min_days = hot_min_days;
        const StorageCost cost = run_storage_cost(plan,
                                                  {.length = Seconds{length * seconds_per_day},
                                                   .between = Seconds{between * seconds_per_day}});
        const auto [hot, cold] = charged_days(length, between, keep, hot_min_days, cold_min_days);
        const double per_day = 1000 / (365.0 / 12);
        RC_ASSERT(std::abs(cost.hot - hot * per_day * 0.02) <= 1e-9 * cost.hot);
        RC_ASSERT(std::abs(cost.cold - cold * per_day * 0.004) <= 1e-9 * cost.cold);
    }));
}

TEST_CASE("requests, retrieval and egress are charged by objects and bytes moved") {
    RetentionPlan plan = plan_of(2, tier(0.001));
    plan.hot.usd_per_1000_writes = 5;
    plan.hot.usd_per_1000_reads = 1;
    plan.hot.usd_per_gb_egress = 0.09;
    plan.cold->usd_per_1000_writes = 20;
    plan.cold->usd_per_1000_reads = 10;
    plan.cold->usd_per_gb_retrieved = 0.03;
    const StorageCost cost = run_storage_cost(plan,
                                              {.length = Seconds{100},
                                               .between = Seconds{10},
                                               .restores = 3,
                                               .cold_restores = 1,
                                               .moved_out = 2});
    CHECK(cost.checkpoints == 10);
    // 10 objects each: 10 dumps, 3 restores and 2 copies out, 8 moves, 1 read from the cold.
    CHECK(cost.requests ==
          doctest::Approx((100 * 5 + 50 * 1 + 80 * 1 + 80 * 20 + 10 * 10) / 1000.0));
    CHECK(cost.retrieval == doctest::Approx(1000 * 0.03));
    CHECK(cost.egress == doctest::Approx(2 * 1000 * 0.09));
    CHECK(cost.total() == doctest::Approx(cost.hot + cost.cold + cost.requests + 30 + 180));
}

TEST_CASE("keeping more, longer or dearer never costs less") {
    CHECK(check_property("monotone", [] {
        const auto keep = drawn::in_range<std::int64_t>(1, 40);
        StoredRun run{.length = Seconds{drawn::in_range(1, 10000) * 100.0},
                      .between = Seconds{drawn::in_range(100, 5000) * 1.0}};
        const double cost = run_storage_cost(plan_of(keep, {}), run).total();
        RC_ASSERT(run_storage_cost(plan_of(keep + 1, {}), run).total() >= cost);
        RC_ASSERT(run_storage_cost(plan_of(keep, tier(0.001)), run).total() >= cost);
        run.length += Seconds{50};
        RC_ASSERT(run_storage_cost(plan_of(keep, {}), run).total() >= cost);
    }));
}

TEST_CASE("an invalid plan or run is refused") {
    const StoredRun run{.length = Seconds{100}, .between = Seconds{10}};
    CHECK_THROWS_AS((void)monthly_usd(plan_of(0, {}), 1), ModelError);
    CHECK_THROWS_AS((void)monthly_usd(plan_of(1, tier(-1)), 1), ModelError);
    CHECK_THROWS_AS((void)monthly_usd(plan_of(1, {}), -1), ModelError);
    CHECK_THROWS_AS((void)run_storage_cost(plan_of(1, {}), {.length = Seconds{1}, .between = {}}),
                    ModelError);
    CHECK_THROWS_AS(
        (void)run_storage_cost(plan_of(1, {}), {.length = Seconds{1e12}, .between = Seconds{1}}),
        ModelError);
    StoredRun cold = run;
    cold.cold_restores = 1;
    CHECK_THROWS_WITH_AS((void)run_storage_cost(plan_of(1, {}), cold),
                         "cold_restores: there is no cold tier; name one",
                         ModelError);
    RetentionPlan nothing = plan_of(1, {});
    nothing.size = ByteVolume{0};
    CHECK_THROWS_AS((void)run_storage_cost(nothing, run), ModelError);
}

TEST_CASE("moving bytes out of the provider's network pays egress and retrieval") {
    StorageTier one = tier(0.0125);
    one.usd_per_gb_egress = 0.09;
    one.usd_per_gb_retrieved = 0.01;
    CHECK(egress_usd(one, ByteVolume{1e12}) == doctest::Approx(100));
    CHECK_THROWS_AS((void)egress_usd(one, ByteVolume{-1}), ModelError);
}

} // namespace bursar::checkpoint_storage_test
