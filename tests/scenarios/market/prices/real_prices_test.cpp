#include <array>

#include <doctest/doctest.h>

#include "scenarios/market/prices/choose_offer.hpp"
#include "scenarios/market/prices/price_history.hpp"
#include "scenarios/market/prices/read_prices.hpp"

#include "tests/shared_data.hpp"

// Every kind of public price file, as it was published. The figures come from the same files, by a
// short script with Python's csv, json and decimal.
namespace bursar::real_prices_test {
namespace {

struct Expected {
    const char* file;
    const char* format;
    std::size_t offers;
    std::size_t prices;
    std::int64_t sum_nano_usd;
};

constexpr std::array files{
    Expected{"data/spot-prices-aws-2020/us-east-1/p3.16xlarge.json.gz",
             "aws-spot-history",
             4,
             264,
             1'938'816'000'000},
    Expected{"data/spot-prices-aws-2020/us-east-1/p2.xlarge.json.gz",
             "aws-spot-history",
             6,
             1000,
             404'053'500'000},
    Expected{"data/spot-prices-aws-2020/eu-west-1/2020-03-23.p3.2xlarge.json.gz",
             "aws-spot-history",
             2,
             26,
             25'779'000'000},
    Expected{"data/spot-prices-aws-2020/us-east-1/merged_us-east-1.csv.gz",
             "aws-spot-csv",
             29,
             5382,
             13'142'420'600'000},
    Expected{"data/spot-prices-aws-2020/us-east-2/merged_us-east-2.csv.gz",
             "aws-spot-csv",
             17,
             3063,
             10'028'299'800'000},
    Expected{"data/spot-prices-aws-2020/eu-west-1/merged_eu-west-1.csv.gz",
             "aws-spot-csv",
             18,
             2146,
             5'254'583'000'000},
    Expected{"data/spot-prices-aws-2020/eu-central-1/merged_eu-central-1.csv.gz",
             "aws-spot-csv",
             10,
             1105,
             5'663'847'800'000},
    Expected{"data/spot-prices-gcp-2022-2026/gcp_gpu_price_changes.csv.gz",
             "gcp-price-changes",
             3725,
             57'464,
             878'712'320'190'965},
    Expected{"data/spot-prices-azure-2020/us_east.csv", "azure-wide", 12, 348, 339'596'410'000},
    Expected{
        "data/spot-prices-azure-2020/us_north_central.csv", "azure-wide", 4, 116, 39'305'150'000},
    Expected{"data/prices-ec2instances-2017/instances.json.gz",
             "ec2instances",
             53'415,
             53'415,
             164'101'124'500'000},
    Expected{"data/prices-skypilot/v8/lambda/vms.excerpt.csv",
             "skypilot-catalog",
             20,
             20,
             77'520'000'000},
    Expected{"data/prices-skypilot/v8/verda/vms.csv", "skypilot-catalog", 55, 55, 145'566'600'000},
    Expected{"data/prices-aws-ondemand/aws_us_east_1_gpu_ondemand_changes.csv",
             "karpenter-aws",
             96,
             100,
             1'211'901'512'000},
    Expected{"data/prices-azure-ondemand/azure_gpu_ondemand_changes.csv.gz",
             "karpenter-azure",
             1592,
             1814,
             34'939'227'800'000},
};

} // namespace

TEST_CASE("prices: public files are read to the last row") {
    for (const Expected& expected : files) {
        CAPTURE(expected.file);
        const auto path = test::shared_data(expected.file);
        if (!path)
            continue;
        const PriceFile file = read_prices(path->string());
        CHECK(file.format == expected.format);
        CHECK(file.offers.size() == expected.offers);
        std::size_t prices = 0;
        std::int64_t sum = 0;
        for (const OfferedPrices& offered : file.offers)
            for (const PricePoint& point : offered.points) {
                prices += point.nano_usd ? 1 : 0;
                sum += point.nano_usd.value_or(0);
            }
        CHECK(prices == expected.prices);
        CHECK(sum == expected.sum_nano_usd);
    }
}

TEST_CASE("prices: every offer of the public files is a series") {
    for (const Expected& expected : files) {
        CAPTURE(expected.file);
        const auto path = test::shared_data(expected.file);
        if (!path)
            continue;
        const PriceFile file = read_prices(path->string());
        for (const OfferedPrices& offered : file.offers) {
            if (file.offers.size() > 5000 && offered.offer.region != "us-east-1")
                continue; // one region of the long list of 2017 is enough
            CAPTURE(offered.offer.text());
            CHECK(price_history(file, offered).steps.is_valid());
        }
    }
}

TEST_CASE("prices: the cut of June 2025, and a region that lists an A100 without its GPU") {
    if (const auto path =
            test::shared_data("data/prices-aws-ondemand/aws_us_east_1_gpu_ondemand_changes.csv")) {
        const PriceFile file = read_prices(path->string());
        std::vector<Finding> notes;
        const PriceHistory p5 =
            price_history(file, choose_offer(file, {{.type = "p5.48xlarge"}}, notes));
        CHECK(p5.steps.rate.back() == 55'040'000'000);
        CHECK(p5.steps.rate[p5.steps.size() - 2] == 98'320'000'000);
    }
    if (const auto path =
            test::shared_data("data/spot-prices-gcp-2022-2026/gcp_gpu_price_changes.csv.gz")) {
        const PriceFile file = read_prices(path->string());
        std::vector<Finding> notes;
        const auto notes_on = [&](const char* region) {
            const PriceHistory history = price_history(
                file,
                choose_offer(file,
                             {{.type = "a2-highgpu-1g", .region = region, .purchase = "on_demand"}},
                             notes));
            return history.notes;
        };
        CHECK(notes_on("us-central1").empty());
        const std::vector<Finding> without_gpu = notes_on("northamerica-northeast2");
        REQUIRE(without_gpu.size() == 1);
        CHECK(without_gpu.front().problem.find("is under a third of what other regions ask") !=
              std::string::npos);
    }
}

} // namespace bursar::real_prices_test
