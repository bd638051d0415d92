#include <array>

#include <doctest/doctest.h>

#include "models/market/fit_prices.hpp"
#include "models/market/price_statistics.hpp"

#include "scenarios/market/prices/choose_offer.hpp"
#include "scenarios/market/prices/price_history.hpp"
#include "scenarios/market/prices/read_prices.hpp"

#include "tests/shared_data.hpp"

// The generator that `market fit` chooses for a public series is close to it. Over 200 seeds that
// it was not fitted on, mean price, changes a day, and mean and 90th percentile of the time at or
// below the mean price are within 10 % of the series. README of scenarios/market/prices has all
// figures.
namespace bursar::fitted_prices_test {
namespace {

struct Series {
    const char* file;
    const char* type;
    const char* place; ///< its zone, or its region
};

constexpr std::array all_series{
    Series{
        "data/spot-prices-aws-2020/us-east-1/merged_us-east-1.csv.gz", "p3.2xlarge", "us-east-1f"},
    Series{
        "data/spot-prices-aws-2020/us-east-1/merged_us-east-1.csv.gz", "p2.16xlarge", "us-east-1c"},
    Series{
        "data/spot-prices-aws-2020/eu-west-1/merged_eu-west-1.csv.gz", "p3.2xlarge", "eu-west-1b"},
    Series{"data/spot-prices-aws-2020/eu-central-1/merged_eu-central-1.csv.gz",
           "p2.xlarge",
           "eu-central-1a"},
    Series{"data/spot-prices-azure-2020/us_east.csv", "NC12s v3", ""},
    Series{"data/spot-prices-gcp-2022-2026/gcp_gpu_price_changes.csv.gz",
           "a3-highgpu-8g",
           "us-central1"},
};

} // namespace

TEST_CASE("prices: what is chosen for a public series is close to it") {
    for (const Series& wanted : all_series) {
        CAPTURE(wanted.file);
        CAPTURE(wanted.type);
        const auto path = test::shared_data(wanted.file);
        if (!path)
            continue;
        const PriceFile file = read_prices(path->string());
        PriceOffer offer{.type = wanted.type, .purchase = "spot"};
        (file.format == "gcp-price-changes" ? offer.region : offer.zone) = wanted.place;
        std::vector<Finding> notes;
        const PriceHistory history = price_history(file, choose_offer(file, {offer, {}}, notes));
        const Duration end{history.end_ms};
        const MoneyRate bid = price_statistics(history.steps, end).mean;
        const PriceFit fit = fit_prices(history.steps, end, bid);
        const FittedPrices& chosen = fit.families[fit.chosen];
        const PriceFigures off =
            figures_of(chosen.generator, history.length(), bid, 1, 200).relative_to(fit.real);
        CAPTURE(std::string{family_of(chosen.generator)});
        CHECK(std::abs(off.mean) <= 0.1);
        CHECK(std::abs(off.changes_per_day) <= 0.1);
        CHECK(std::abs(off.mean_up_ms) <= 0.1);
        CHECK(std::abs(off.p90_up_ms) <= 0.1);
    }
}

} // namespace bursar::fitted_prices_test
