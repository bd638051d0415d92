#include <doctest/doctest.h>

#include "models/market/discounts.hpp"
#include "models/market/owned_cost.hpp"
#include "models/market/price_integral.hpp"

namespace bursar::discounts_test {
namespace {

constexpr std::int64_t quarter_ms = month.count() / 4;

} // namespace

TEST_CASE("a machine that runs all month by Google's shares costs 70 percent of its list price") {
    const std::vector<PriceShare> shares =
        sustained_use({1'000'000, 800'000, 600'000, 400'000}, 2 * month);
    REQUIRE(shares.size() == 8);
    CHECK(shares[3] == PriceShare{3 * quarter_ms, 400'000});
    CHECK(shares[4] == PriceShare{month.count(), 1'000'000});
    PriceIntegrals integrals;
    const PriceIntegral price =
        integrals.of(integrals.add(at_shares({{0}, {1'000'000'000}}, shares)));
    for (const Duration begin : {Duration{}, month})
        CHECK(price.between(begin, begin + month).count() == int128{700'000'000} * month.count());
    CHECK(price.between({}, Duration{quarter_ms}).count() == int128{1'000'000'000} * quarter_ms);
}

TEST_CASE("a volume tier begins after its number of paid GPU-hours") {
    const std::vector<PriceShare> shares =
        by_volume({{1000 * hour, 900'000}, {4001 * hour, 800'000}}, 10);
    CHECK(shares == std::vector<PriceShare>{{(100 * hour).count(), 900'000},
                                            {(4001 * hour).count() / 10, 800'000}});
}

TEST_CASE("shares of a varying price change where price or share changes") {
    const PriceSeries series =
        at_shares({{-5, 10, 20}, {100, 200, 101}}, {{0, 500'000}, {20, 1'000'000}, {30, 500'000}});
    CHECK(series.start_ms == std::vector<std::int64_t>{-5, 0, 10, 20, 30});
    CHECK(series.rate == std::vector<std::int64_t>{100, 50, 100, 101, 51});
}

} // namespace bursar::discounts_test
