#include <algorithm>
#include <cmath>
#include <string>

#include <doctest/doctest.h>

#include "models/market/price_generators.hpp"
#include "models/market/price_statistics.hpp"

#include "tests/properties.hpp"

namespace bursar::price_generators_test {
namespace {

constexpr std::int64_t usd = nano_usd_per_usd;

MeanRevertingPrices reverting() {
    return {.floor = usd,
            .ceiling = 4 * usd,
            .mean_log = std::log(2e9),
            .persistence = 0.8,
            .noise = 0.1,
            .mean_step_ms = 4.0 * static_cast<double>(hour.count())};
}

/// 1 to 2 USD for two days on average, 3 to 5 USD for one.
RegimeSwitchingPrices switching() {
    const auto hours = [](double n) { return n * static_cast<double>(hour.count()); };
    return {.regimes = {{.quantiles = {usd, 2 * usd},
                         .mean_step_ms = hours(3),
                         .wander = 0.5,
                         .mean_stay_ms = hours(48),
                         .stay_spread = 0.5},
                        {.quantiles = {3 * usd, 4 * usd, 5 * usd},
                         .mean_step_ms = hours(2),
                         .wander = 1,
                         .mean_stay_ms = hours(24),
                         .stay_spread = 0}},
            .first = 0};
}

BlockBootstrapPrices bootstrap() {
    return {.source = {{0, 5 * hour.count(), 20 * hour.count()}, {usd, 3 * usd, 2 * usd}},
            .end = 30 * hour,
            .block = 12 * hour};
}

std::vector<PriceGenerator> all_families() {
    return {reverting(), switching(), bootstrap()};
}

/// Mean of a log-normal value that is set to the floor below it and to the ceiling above it.
double cut_off_mean(double mean_log, double spread, double floor, double ceiling) {
    const auto below = [&](double value, double shift) {
        return std::erfc(-(std::log(value) - mean_log - shift) / spread / std::sqrt(2.0)) / 2;
    };
    const double squared = spread * spread;
    return floor * below(floor, 0) + ceiling * (1 - below(ceiling, 0)) +
           std::exp(mean_log + squared / 2) * (below(ceiling, squared) - below(floor, squared));
}

} // namespace

TEST_CASE("prices of every family are a valid series, and differ between seeds") {
    for (const PriceGenerator& generator : all_families()) {
        CAPTURE(std::string{family_of(generator)});
        CHECK(check_property([&] {
            const std::uint64_t seed = drawn::bits();
            const Duration horizon{drawn::in_range<std::int64_t>(1, 100 * day.count())};
            const PriceSeries series = generate_prices(generator, horizon, seed);
            RC_ASSERT(series.is_valid());
            RC_ASSERT(series.start_ms.front() == 0);
            RC_ASSERT(series.start_ms.back() < horizon.count());
            RC_ASSERT(std::ranges::min(series.rate) >= usd);
            RC_ASSERT(std::ranges::max(series.rate) <= 5 * usd);
            RC_ASSERT(std::ranges::adjacent_find(series.rate) == series.rate.end());
            RC_ASSERT(generate_prices(generator, horizon, seed) == series);
        }));
        const PriceSeries one = generate_prices(generator, 100 * day, 1);
        CHECK(generate_prices(generator, 100 * day, 2) != one);
        CHECK_MESSAGE(generate_prices(generator, 100 * day, 1, 7) != one,
                      "two pools of one seed have prices of their own");
    }
}

TEST_CASE("a longer horizon continues a series") {
    for (const PriceGenerator& generator : all_families()) {
        CAPTURE(std::string{family_of(generator)});
        const PriceSeries whole = generate_prices(generator, 60 * day, 3);
        const PriceSeries part = generate_prices(generator, 20 * day, 3);
        REQUIRE(part.size() < whole.size());
        CHECK(std::equal(part.start_ms.begin(), part.start_ms.end(), whole.start_ms.begin()));
        CHECK(std::equal(part.rate.begin(), part.rate.end(), whole.rate.begin()));
    }
}

TEST_CASE("a mean-reverting price begins in its stationary law") {
    constexpr std::uint64_t num_seeds = 20'000;
    constexpr auto n = static_cast<double>(num_seeds);
    MeanRevertingPrices g = reverting(); // spread 0.16667
    g.noise = 0.3;                       // spread 0.5: floor and ceiling cut off 8 % each
    const double mean = cut_off_mean(g.mean_log, 0.5, 1e9, 4e9);
    double first = 0;
    double short_run = 0; // of 60 h
    double squares = 0;
    for (std::uint64_t seed = 1; seed <= num_seeds; ++seed) {
        const PriceSeries series = generate_prices(g, 60 * hour, seed);
        const auto price = static_cast<double>(series.rate.front());
        first += price / n;
        squares += price * price / n;
        short_run += static_cast<double>(price_statistics(series, 60 * hour).mean.count()) / n;
    }
    const double standard_error = std::sqrt((squares - first * first) / n);
    CHECK(standard_error < 0.004 * mean);
    CHECK(std::abs(first - mean) < 4 * standard_error);
    CHECK(std::abs(short_run - mean) < 4 * standard_error);
}

TEST_CASE("a mean-reverting price forgets its start and has the variance of the formula") {
    MeanRevertingPrices g = reverting();
    g.floor = 1;
    g.ceiling = 1000 * usd;
    double sum = 0;
    double squares = 0;
    int n = 0;
    const PriceSeries series = generate_prices(g, 20'000 * day, 5);
    for (std::size_t i = 100; i < series.size(); ++i, ++n) {
        const double off = std::log(static_cast<double>(series.rate[i])) - g.mean_log;
        sum += off;
        squares += off * off;
    }
    REQUIRE(n > 100'000);
    // Stationary: N(mean, noise^2 / (1 - persistence^2)) = 0.16667^2; of n correlated values the
    // mean has a standard error of 0.16667 sqrt(9 / n) = 0.0014; four of them.
    CHECK(std::abs(sum / n) < 0.006);
    CHECK(std::sqrt(squares / n) == doctest::Approx(0.1 / 0.6).epsilon(0.02));
}

TEST_CASE("regimes have their mean stay, and prices within one are uniform in rank") {
    const RegimeSwitchingPrices g = switching();
    const PriceSeries series = generate_prices(g, 20'000 * day, 5);
    const Duration end = 20'000 * day;
    const UpTimes cheap = summary_of(up_times(series, end, MoneyRate{2 * usd}));
    // 6,667 stays of mean 48 h and coefficient of variation 0.53: a standard error of 0.65 %.
    CHECK(static_cast<double>(cheap.mean.count()) ==
          doctest::Approx(48.0 * static_cast<double>(hour.count())).epsilon(0.026));
    CHECK_MESSAGE(static_cast<double>(cheap.total.count()) / static_cast<double>(end.count()) ==
                      doctest::Approx(2.0 / 3).epsilon(0.01),
                  "two days of three");
    // Two thirds of the time at 1.5 USD on average, one third at 4 USD.
    CHECK(static_cast<double>(price_statistics(series, end).mean.count()) ==
          doctest::Approx(7e9 / 3).epsilon(0.01));
}

TEST_CASE("some stays are long ones") {
    RegimeSwitchingPrices g = switching();
    g.regimes[0].stay_spread = 0;
    g.regimes[0].long_share = 0.25;
    g.regimes[0].long_stay_ms = static_cast<double>((480 * hour).count());
    const std::vector<Duration> stays =
        up_times(generate_prices(g, 20'000 * day, 5), 20'000 * day, MoneyRate{2 * usd});
    const auto num_long = std::ranges::count(stays, 480 * hour);
    CHECK(std::ranges::count(stays, 48 * hour) + num_long >=
          static_cast<std::ptrdiff_t>(stays.size()) - 1); // the last may be cut short
    // n = 2,800, standard error 0.8 %.
    CHECK(static_cast<double>(num_long) / static_cast<double>(stays.size()) ==
          doctest::Approx(0.25).epsilon(0.13));
}

TEST_CASE("blocks repeat the rates of the source and keep its mean") {
    const BlockBootstrapPrices g = bootstrap();
    const PriceSeries series = generate_prices(g, 10'000 * day, 9);
    for (const std::int64_t rate : series.rate)
        CHECK_MESSAGE(std::ranges::find(g.source.rate, rate) != g.source.rate.end(), rate);
    // (5 h x 1 + 15 h x 3 + 10 h x 2) / 30 h; 20,000 blocks, standard error below 0.5 %.
    CHECK(static_cast<double>(price_statistics(series, 10'000 * day).mean.count()) ==
          doctest::Approx(7e9 / 3).epsilon(0.02));
}

} // namespace bursar::price_generators_test
