#include <doctest/doctest.h>

#include "models/market/owned_cost.hpp"

#include "tests/properties.hpp"

namespace bursar::owned_cost_test {
namespace {

OwnedCost cost_of(std::int64_t capex, Duration life) {
    return {.capex_nano_usd_per_gpu = capex,
            .life = life,
            .power_milliwatts_per_gpu = 0,
            .pue_milli = 1000,
            .electricity_nano_usd_per_kwh = 0,
            .colo_nano_usd_per_kw_month = 0};
}

OwnedCost arbitrary_cost() {
    const auto upto = [](std::int64_t max) { return drawn::in_range<std::int64_t>(0, max); };
    const OwnedCost& max = max_owned_cost;
    return {.capex_nano_usd_per_gpu = upto(max.capex_nano_usd_per_gpu),
            .life = hour + Duration{upto((max.life - hour).count())},
            .power_milliwatts_per_gpu = upto(max.power_milliwatts_per_gpu),
            .pue_milli = 1000 + upto(max.pue_milli - 1000),
            .electricity_nano_usd_per_kwh = upto(max.electricity_nano_usd_per_kwh),
            .colo_nano_usd_per_kw_month = upto(max.colo_nano_usd_per_kw_month)};
}

} // namespace

// By hand. A GPU of 32,000 USD over 4 years = 35,040 h:   32000 / 35040 = 0.913242009 USD/h
// 1.3 kW x 1.25 x 0.08 USD/kWh:                                           0.130000000 USD/h
// 1.3 kW x 146 USD/kW-month / 730 h:                                      0.260000000 USD/h
//                                                                  sum    1.303242009 (..132 down)
TEST_CASE("owned rate of a worked example") {
    const OwnedCost cost{.capex_nano_usd_per_gpu = 32'000 * nano_usd_per_usd,
                         .life = 4 * year,
                         .power_milliwatts_per_gpu = 1'300'000,
                         .pue_milli = 1250,
                         .electricity_nano_usd_per_kwh = 80'000'000,
                         .colo_nano_usd_per_kw_month = 146 * nano_usd_per_usd};
    CHECK(owned_rate(cost) == MoneyRate{1'303'242'009});

    SUBCASE("cooling is on the electricity bill and not on the colocation bill") {
        OwnedCost warmer = cost;
        warmer.pue_milli = 2500; // 0.13 more per hour, all of it electricity
        CHECK(owned_rate(warmer) == MoneyRate{1'433'242'009});
    }
}

TEST_CASE("rounding happens once, half up") {
    // 1 nano-dollar over two hours is half a nano-dollar per hour.
    CHECK(owned_rate(cost_of(1, 2 * hour)) == MoneyRate{1});
    CHECK(owned_rate(cost_of(1, 2 * hour + millisecond)) == MoneyRate{0});
    CHECK(owned_rate(cost_of(3, 2 * hour)) == MoneyRate{2});

    // Three parts of 0.4, 0.3 and 0.3 nano-dollars: 0 each when rounded separately, 1 together.
    OwnedCost parts = cost_of(4, 10 * hour);
    parts.power_milliwatts_per_gpu = 1'000'000;
    parts.electricity_nano_usd_per_kwh = 0;
    parts.colo_nano_usd_per_kw_month = 438; // 0.6 per hour
    CHECK(owned_rate(parts) == MoneyRate{1});
    parts.colo_nano_usd_per_kw_month = 72; // 0.0986: 0.4986 in all
    CHECK(owned_rate(parts) == MoneyRate{0});
}

TEST_CASE("the largest allowed values do not overflow") {
    // 1e15 / 876,000 h + 100 kW x 10 x 1e11 + 100 kW x 1e15 / 730 h, in nano-dollars per hour:
    // 1,141,552,511.4 + 1e14 + 136,986,301,369,863.01
    CHECK(owned_rate(max_owned_cost) == MoneyRate{236'987'442'922'374});
    CHECK(owned_rate(cost_of(max_owned_cost.capex_nano_usd_per_gpu, hour)) ==
          MoneyRate{max_owned_cost.capex_nano_usd_per_gpu});
}

TEST_CASE("owned rate properties") {
    CHECK(check_property("doubling every price doubles the rate, up to rounding", [] {
        OwnedCost cost = arbitrary_cost();
        cost.capex_nano_usd_per_gpu /= 2;
        cost.electricity_nano_usd_per_kwh /= 2;
        cost.colo_nano_usd_per_kw_month /= 2;
        OwnedCost twice = cost;
        twice.capex_nano_usd_per_gpu *= 2;
        twice.electricity_nano_usd_per_kwh *= 2;
        twice.colo_nano_usd_per_kw_month *= 2;
        const std::int64_t off = owned_rate(twice).count() - 2 * owned_rate(cost).count();
        RC_ASSERT(off >= -1 && off <= 1);
    }));
    CHECK(check_property("the total is the sum of its three parts, up to rounding", [] {
        const OwnedCost cost = arbitrary_cost();
        OwnedCost energy = cost;
        energy.capex_nano_usd_per_gpu = energy.colo_nano_usd_per_kw_month = 0;
        OwnedCost colo = cost;
        colo.capex_nano_usd_per_gpu = colo.electricity_nano_usd_per_kwh = 0;
        const MoneyRate parts = owned_rate(cost_of(cost.capex_nano_usd_per_gpu, cost.life)) +
                                owned_rate(energy) + owned_rate(colo);
        const std::int64_t off = owned_rate(cost).count() - parts.count();
        RC_ASSERT(off >= -2 && off <= 2);
    }));
}

} // namespace bursar::owned_cost_test
