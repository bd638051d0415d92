#include <cmath>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include "policies/broker/cost_of_work.hpp"
#include "policies/broker/registry.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::cheapest_including_risk_test {
namespace {

constexpr Duration second{1000};
constexpr Duration hour = 3600 * second;

/// Pool 0 on demand at 3, pool 1 spot at 1, of ten nodes of one GPU.
Plan spot_and_on_demand() {
    Plan plan = plan_of({{0, 36'000, 1, 0b11}}, {pool_of(10, 1), pool_of(10, 1)});
    plan.pools[0].purchase = Purchase::on_demand;
    plan.pools[0].rate = MoneyRate{3};
    plan.pools[1].purchase = Purchase::spot;
    plan.pools[1].rate = MoneyRate{1};
    return plan;
}

/// Spot reclaims a node of the job twice an hour.
void take_back(Plan& plan, Duration notice) {
    plan.gang_risks = {{}, {.reclaims = 2, .notice = notice}};
}

std::vector<std::uint16_t> order(const Plan& plan) {
    return pool_orders_under("cheapest-including-risk", {}, plan, kinds_of(plan).front())
        .front()
        .pools;
}

} // namespace

TEST_CASE("an hour of work costs its held time, at the pool's speed") {
    Plan plan = spot_and_on_demand();
    plan.classes[0].recovery = 90 * second;
    take_back(plan, {}); // one interruption in half an hour, of ten hours of work
    const JobKind kind = kinds_of(plan).front();
    CHECK(kind.work == 10 * hour);
    CHECK(held_per_work_on(plan, kind, 0) == 1);
    CHECK(held_per_work_on(plan, kind, 1) ==
          doctest::Approx(std::exp(0.05) * (std::exp(20) - 1) / 20));
    CHECK(order(plan) == std::vector<std::uint16_t>{0, 1}); // it would never end
    plan.classes[0].checkpoint = Checkpoint::every;
    plan.classes[0].interval = 180 * second;
    plan.classes[0].save = 18 * second;
    CHECK(held_per_work_on(plan, kind, 1) ==
          doctest::Approx(std::exp(0.05) * (std::exp(0.11) - 1) / 0.1));
    CHECK(order(plan) == std::vector<std::uint16_t>{1, 0});
    give_speeds(plan, [](std::uint32_t) { return PlanSpeed{reference_speed / 4, {}}; });
    plan.speeds[1].speed = reference_speed;
    CHECK(held_per_work_on(plan, kinds_of(plan).front(), 0) == doctest::Approx(4 * 1.1));
    plan.speeds[0].speed = 4 * reference_speed;
    CHECK(order(plan) == std::vector<std::uint16_t>{0, 1}); // 3 x 1.1 / 4 is less than 1.2
}

TEST_CASE("a job with enough notice loses a restart and no work") {
    Plan plan = spot_and_on_demand();
    plan.classes[0].recovery = 90 * second;
    plan.classes[0].save = 30 * second;
    take_back(plan, 30 * second);
    CHECK(held_per_work_on(plan, kinds_of(plan).front(), 1) ==
          doctest::Approx(std::exp(0.05) + 30.0 / 1800));
    plan.classes[0].save = 31 * second; // too long for the notice
    CHECK(held_per_work_on(plan, kinds_of(plan).front(), 1) > 1e6);
    plan.classes[0].save = 20 * second;
    plan.classes[0].write = 11 * second; // ... also together
    CHECK(held_per_work_on(plan, kinds_of(plan).front(), 1) > 1e6);
}

TEST_CASE("a gang that is larger than the pool has its work alone") {
    Plan plan = spot_and_on_demand();
    take_back(plan, {});
    JobKind kind = kinds_of(plan).front();
    kind.gpus = 10;
    CHECK(held_per_work_on(plan, kind, 1) == doctest::Approx((std::exp(20) - 1) / 20));
    kind.gpus = 11;
    CHECK(held_per_work_on(plan, kind, 1) == 1);
}

TEST_CASE("a notice does not add to the losses without notice") {
    Plan plan = spot_and_on_demand();
    plan.classes[0].recovery = 90 * second;
    plan.classes[0].save = 30 * second;
    plan.gang_risks = {{},
                       {.failures = 0.05, .reclaims = 2, .maintenance = 1, .notice = 30 * second}};
    const double told =
        std::exp(90 * 3 / 3600.0) + 30 * 3 / 3600.0; // announced, three times an hour
    const double lost = std::exp(90 * 0.05 / 3600) * (std::exp(0.5) - 1) / 0.5; // of ten hours
    CHECK(held_per_work_on(plan, kinds_of(plan).front(), 1) == doctest::Approx(told * lost));
    plan.classes[0].checkpoint = Checkpoint::none;
    CHECK(held_per_work_on(plan, kinds_of(plan).front(), 1) > 1e6);
}

TEST_CASE("the cost of moving saved state is divided by the mean work left") {
    Plan plan = spot_and_on_demand();
    plan.pool_region = {0, 1};
    plan.egress_nano_usd = {5};
    const std::vector<JobKind> kinds = kinds_of(plan);
    REQUIRE(kinds.size() == 3); // nothing is saved, or it is with pool 0, or with pool 1
    CHECK(kinds[2].saved_in == 2);
    CHECK(kinds[2].left == 5 * hour);
    CHECK(moving_per_work_to(plan, kinds[0], 1) == 0);
    CHECK(moving_per_work_to(plan, kinds[1], 0) == 0);
    CHECK(moving_per_work_to(plan, kinds[1], 1) == doctest::Approx(1));
    const auto order_from = [&](std::size_t place) {
        return pool_orders_under("cheapest-including-risk", {}, plan, kinds_of(plan)[place])
            .front()
            .pools;
    };
    CHECK(order_from(1) == std::vector<std::uint16_t>{1, 0}); // 1 + 1 is less than 3
    plan.egress_nano_usd = {15};
    CHECK(order_from(1) == std::vector<std::uint16_t>{0, 1});
    CHECK(order_from(2) == std::vector<std::uint16_t>{1, 0});
    plan.pools[0].purchase = Purchase::owned;
    CHECK(order_from(0) == std::vector<std::uint16_t>{0, 1});
    CHECK(order_from(2) == std::vector<std::uint16_t>{1, 0}); // 1 is less than what moving costs
}

} // namespace bursar::test::cheapest_including_risk_test
