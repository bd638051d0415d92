#include <cstdint>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "models/market/price_series.hpp"

#include "policies/broker/pool_orders.hpp"
#include "policies/broker/registry.hpp"

#include "tests/plan_builder.hpp"

namespace bursar::test::cheapest_now_test {
namespace {

using Order = std::vector<std::uint16_t>;

struct Offer {
    Purchase purchase{};
    std::vector<std::pair<std::int64_t, std::int64_t>> prices; ///< begin in seconds, price
};

Plan plan_with(const std::vector<Offer>& offers) {
    Plan plan = plan_of({{0, 1}}, std::vector<PlanPool>(offers.size(), pool_of(1, 1)));
    for (std::size_t pool = 0; pool < offers.size(); ++pool) {
        plan.pools[pool].purchase = offers[pool].purchase;
        plan.pools[pool].rate = MoneyRate{offers[pool].prices.front().second};
        if (offers[pool].prices.size() == 1)
            continue;
        PriceSeries series;
        for (const auto& [from_s, rate] : offers[pool].prices) {
            series.start_ms.push_back(1000 * from_s);
            series.rate.push_back(rate);
        }
        plan.pools[pool].price_series = static_cast<std::uint16_t>(plan.prices.add(series));
    }
    return plan;
}

PoolOrderChanges orders(const Plan& plan, std::int64_t margin_milli = 0) {
    PolicyOptions options;
    options.set("margin", {margin_milli});
    return pool_orders_under("cheapest-now", options, plan);
}

} // namespace

TEST_CASE("pools that are paid anyway come first, the others by price") {
    const auto changes = orders(plan_with({{Purchase::spot, {{0, 3}}},
                                           {Purchase::on_demand, {{0, 2}}},
                                           {Purchase::reserved, {{0, 9}}},
                                           {Purchase::owned, {{0, 9}}}}));
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].time_ms == 0);
    CHECK(changes[0].pools == Order{3, 2, 1, 0});
}

TEST_CASE("the order changes only when prices cross") {
    const Plan plan = plan_with({{Purchase::on_demand, {{0, 10}}},
                                 {Purchase::spot, {{-5, 4}, {7, 9}, {20, 11}, {30, 10}, {40, 9}}}});
    const auto changes = orders(plan);
    REQUIRE(changes.size() == 3);
    CHECK(changes[0].pools == Order{1, 0});
    CHECK(changes[1].time_ms == 20'000);
    CHECK(changes[1].pools == Order{0, 1});
    CHECK(changes[2].time_ms == 40'000); // at 30 s all are equal
}

TEST_CASE("with a margin a pool overtakes another only if it is that much cheaper") {
    const Plan plan =
        plan_with({{Purchase::on_demand, {{0, 100}}},
                   {Purchase::spot, {{0, 90}, {10, 101}, {20, 111}, {30, 91}, {40, 90}}}});
    const auto changes = orders(plan, 100);
    REQUIRE(changes.size() == 3);
    CHECK(changes[1].time_ms == 20'000); // 111 > 1.1 x 100
    CHECK(changes[2].time_ms == 40'000); // 100 > 1.1 x 90
}

TEST_CASE("a plan gets the first order, and an event for each that comes before its end") {
    Plan plan = plan_with(
        {{Purchase::on_demand, {{0, 10}}}, {Purchase::spot, {{0, 4}, {10, 11}, {20, 9}}}});
    give_orders({orders(plan)}, Duration{20'000}, plan);
    CHECK(plan.pool_preference == Order{1, 0});
    REQUIRE(plan.world.size() == 1);
    CHECK(plan.world[0].time_ms == 10'000);
    CHECK(plan.world[0].is<OrderChange>());
    CHECK(plan.pool_orders == Order{0, 1});
}

} // namespace bursar::test::cheapest_now_test
