#include <doctest/doctest.h>

#include "reports/result/pool_price.hpp"

namespace bursar::pool_price_test {

TEST_CASE("a pool has the prices of its run only") {
    const PriceSeries series{{-10, -5, 20, 30, 40}, {1, 2, 2, 3, 4}};
    const PoolPrice price = PoolPrice::until(Duration{40}, series);
    CHECK(price.series() == PriceSeries{{0, 30}, {2, 3}});
    CHECK_FALSE(price.rate());
    CHECK(PoolPrice::until(Duration{30}, series) == PoolPrice{MoneyRate{2}});
    CHECK(PoolPrice::until(Duration{41}, series).series() == PriceSeries{{0, 30, 40}, {2, 3, 4}});
    CHECK(PoolPrice::until(Duration{0}, {{5}, {7}}) == PoolPrice{MoneyRate{7}});
    CHECK(PoolPrice::until(Duration{100}, {{5, 9}, {7, 8}}).series() ==
          PriceSeries{{0, 9}, {7, 8}}); // the first step's price before it
}

TEST_CASE("holding slots costs the current price") {
    const PoolPrice price{{{0, 30, 50}, {2, 5, 1}}};
    CHECK(price.cost(10, Duration{20}, Duration{60}) == Money{10 * (10 * 2 + 20 * 5 + 10 * 1)});
    CHECK(price.at(Duration{29}) == MoneyRate{2});
    CHECK(price.at(Duration{30}) == MoneyRate{5});
    CHECK(price.range(Duration{0}, Duration{30}) == PriceRange{MoneyRate{2}, MoneyRate{2}});
    CHECK(price.range(Duration{29}, Duration{60}) == PriceRange{MoneyRate{1}, MoneyRate{5}});
    CHECK(price.range(Duration{50}, Duration{50}) == PriceRange{MoneyRate{1}, MoneyRate{1}});
    const PoolPrice constant{MoneyRate{3}};
    CHECK(constant.cost(10, Duration{20}, Duration{60}) == Money{1200});
    CHECK(constant.range(Duration{0}, Duration{9}) == PriceRange{MoneyRate{3}, MoneyRate{3}});
    CHECK(PoolPrice{}.is_free());
    CHECK_FALSE(constant.is_free());
}

} // namespace bursar::pool_price_test
