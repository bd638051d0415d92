#include <string>

#include <doctest/doctest.h>

#include "models/market/fit_prices.hpp"

namespace bursar::fit_prices_test {
namespace {

constexpr std::int64_t usd = nano_usd_per_usd;

/// Three dear days after every four to eight cheap ones, for 60 days, with a change every day.
PriceSeries two_regimes() {
    PriceSeries series;
    std::int64_t now_ms = 0;
    const auto add = [&](int days, std::int64_t rate) {
        for (int i = 0; i < days; ++i, now_ms += day.count()) {
            series.start_ms.push_back(now_ms);
            series.rate.push_back(rate + i * usd / 100);
        }
    };
    for (const int cheap : {8, 4, 6, 7, 5, 6}) {
        add(cheap, usd);
        add(3, 3 * usd);
    }
    return series;
}

} // namespace

TEST_CASE("distance between price figures") {
    const PriceFigures off = PriceFigures{2, 3, 0, 5}.relative_to({1, 4, 0, 5});
    CHECK(off.mean == 1);
    CHECK(off.changes_per_day == doctest::Approx(-0.25));
    CHECK(off.mean_up_ms == 0);
    CHECK(off.worst() == 1);
    CHECK_MESSAGE((PriceFigures{1, 1, 1, 1}.relative_to({1, 1, 0, 1}).worst() == 1),
                  "what is 0 and should be, or is not and should not be");
}

TEST_CASE("prices of two regimes are met by a family, over seeds that it was not fitted on") {
    const PriceSeries series = two_regimes();
    const Duration end = 54 * day;
    const MoneyRate bid{2 * usd};
    const PriceFit fit = fit_prices(series, end, bid);
    REQUIRE(fit.families.size() == 3);
    const FittedPrices& chosen = fit.families[fit.chosen];
    CHECK(family_of(chosen.generator) == RegimeSwitchingPrices::name);
    CHECK(fit.real.mean_up_ms == doctest::Approx(6.0 * static_cast<double>(day.count())));
    CHECK(chosen.worst <= near_enough);
    CHECK(figures_of(chosen.generator, end, bid, 1, 200).relative_to(fit.real).worst() <= 0.1);
    for (const FittedPrices& family : fit.families) {
        CAPTURE(std::string{family_of(family.generator)});
        CHECK(family.worst == figures_of(family.generator, end, bid, first_fit_seed, num_fit_seeds)
                                  .relative_to(fit.real)
                                  .worst());
        if (&family < &chosen)
            CHECK_MESSAGE(family.worst > near_enough,
                          "the first family that is near enough is chosen");
    }
}

TEST_CASE("prices that never leave the bid have one regime, and free ones no logarithm") {
    PriceSeries series = two_regimes();
    const PriceFit always = fit_prices(series, 54 * day, MoneyRate{10 * usd});
    const auto& regimes = std::get<RegimeSwitchingPrices>(always.families[1].generator);
    CHECK(regimes.regimes.size() == 1);
    CHECK(always.families[1].figures.mean_up_ms == doctest::Approx(always.real.mean_up_ms));
    series.rate[3] = 0;
    CHECK(fit_prices(series, 54 * day, MoneyRate{2 * usd}).families.size() == 2);
}

} // namespace bursar::fit_prices_test
