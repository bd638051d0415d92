#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <doctest/doctest.h>

#include "models/market/price_statistics.hpp"

#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"
#include "tests/scenarios/traces/temporary_file.hpp"

namespace bursar::price_keys_test {
namespace {

/// Two zones of one machine; spot prices in order, without gaps.
constexpr std::string_view history =
    "timestamp,instance_type,availability_zone,spot_price_usd_per_hour,product\n"
    "2020-01-05 00:00:00,p3.16xlarge,us-east-1a,8,Linux/UNIX\n"
    "2020-01-06 12:00:00,p3.16xlarge,us-east-1a,16,Linux/UNIX\n"
    "2020-01-05 00:00:00,p3.16xlarge,us-east-1b,7.3440000001,Linux/UNIX\n";

constexpr std::string_view plain = "time,price\n0,8\n3600,16\n";

Scenario read(const std::string& price, const std::string& purchase = "spot") {
    static const Catalogue builtin = builtin_catalogue();
    const std::string text = "bursar: 1\n"
                             "workload: {trace: {file: jobs.csv}}\n"
                             "fleet:\n"
                             "  - pool: cloud\n"
                             "    purchase: " +
                             purchase +
                             "\n"
                             "    gpu: V100-SXM2-16GB\n"
                             "    nodes: 2\n"
                             "    gpus_per_node: 8\n"
                             "    price: " +
                             price + "\n";
    return read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin);
}

std::string mistakes(const std::string& price) {
    try {
        read(price);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

bool mentions(const std::vector<std::string>& texts, std::string_view words) {
    return std::ranges::any_of(
        texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

} // namespace

TEST_CASE("a pool is priced by an offer of a file") {
    const test::TemporaryFile file{history};
    const Scenario scenario = read("{file: " + file.path() + ", zone: us-east-1a}");
    const PoolSpec& pool = scenario.fleet[0];
    REQUIRE(pool.file_price);
    CHECK_FALSE(pool.price);
    CHECK(pool.price_varies());
    CHECK(pool.file_price->per == PricePer::node);
    CHECK(pool.file_price->offer.type == "p3.16xlarge");
    CHECK(pool.file_price->steps.rate ==
          std::vector<std::int64_t>{8 * nano_usd_per_usd, 16 * nano_usd_per_usd});
    CHECK(pool.file_price->per_gpu_hour(8).rate ==
          std::vector<std::int64_t>{nano_usd_per_usd, 2 * nano_usd_per_usd});
    CHECK(pool.price_basis.starts_with("p3.16xlarge us-east-1a Linux/UNIX spot of " +
                                       pool.file_price->name() + " ("));
    CHECK(pool.price_basis.ends_with("), 2020-01-05 00:00:00Z to 2020-01-06 12:00:00Z"));
    CHECK(std::ranges::count(scenario.inputs, file.path()) == 1); // no output may replace it
    CHECK_FALSE(mentions(scenario.unmodelled, "price changes"));
    CHECK_FALSE(mentions(scenario.assumed, "is constant"));
}

TEST_CASE("the content of a price file is part of the scenario's hash, and its reader's notes are "
          "shown") {
    const test::TemporaryFile one{plain};
    const Scenario before = read("{file: " + one.path() + ", per: node}");
    std::ofstream{one.path(), std::ios::app} << "3600,16\n";
    const Scenario after = read("{file: " + one.path() + ", per: node}");
    CHECK(before.hash != after.hash);
    CHECK(before.warnings.empty());
    REQUIRE(after.warnings.size() == 1);
    CHECK(after.warnings[0].text().find(one.path() + ":4") == 0);
    CHECK(after.warnings[0].problem == "1 row has been there before");
}

TEST_CASE("prices for another purchase than the pool's are noted") {
    const test::TemporaryFile file{history};
    const std::string price = "{file: " + file.path() + ", zone: us-east-1a}";
    const Scenario scenario = read(price, "on_demand");
    REQUIRE(scenario.warnings.size() == 1 + read(price).warnings.size());
    CHECK(scenario.warnings.back().text() ==
          "s.yaml:9:12: fleet.cloud.price: prices of purchase spot (the pool is not spot "
          "capacity)");
}

TEST_CASE("`from` sets the time in a price file at which the run begins") {
    const test::TemporaryFile file{"time,price\n2020-02-24,8\n2020-02-25,16\n"};
    const std::string offer = "{file: " + file.path() + ", per: node";
    CHECK_FALSE(read(offer + "}").fleet[0].file_price->from);
    CHECK(read(offer + ", from: 12 h}").fleet[0].file_price->from == 12 * hour);
    CHECK(mistakes("{generate: {family: regime-switching, cheap: {floor: 1 USD/gpu-h, stay: 1 d}, "
                   "dear: {floor: 2 USD/gpu-h, stay: 1 d}}, from: 1 d}")
              .find("fleet.cloud.price.from: needs `file`") != std::string::npos);
}

TEST_CASE("a node may pay the price of its launch until it ends") {
    const test::TemporaryFile file{"time,price\n0,8\n3600,16\n"};
    CHECK_FALSE(read("{file: " + file.path() + ", per: node}").fleet[0].pays_price_of_launch());
    const Scenario scenario = read("{file: " + file.path() + ", per: node, paid: at-launch}");
    CHECK(scenario.fleet[0].pays_price_of_launch());
    CHECK_FALSE(scenario.fleet[0].price_follows_use()); // all its nodes are always up
    CHECK(read("{paid: at-launch, generate: {family: regime-switching, cheap: {floor: 1 USD/gpu-h, "
               "stay: 1 d}, dear: {floor: 2 USD/gpu-h, stay: 1 d}}}")
              .fleet[0]
              .pays_price_of_launch());
    CHECK(mistakes("{file: " + file.path() + ", per: node, paid: later}")
              .find("fleet.cloud.price.paid") != std::string::npos);
    const test::TemporaryFile list{
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,"
        "SpotPrice\n"
        "big,V100,8,64,488,24,east,,9.6\n"};
    CHECK(mistakes("{file: " + list.path() + ", purchase: spot, paid: at-launch}")
              .find("fleet.cloud.price.paid: has no effect") != std::string::npos);
    CHECK(mistakes("{file: " + list.path() + ", purchase: spot, from: 1 d}")
              .find("fleet.cloud.price.from: has no effect") != std::string::npos);
}

TEST_CASE("one day's list is a constant price") {
    const test::TemporaryFile list{
        "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,"
        "SpotPrice\n"
        "big,V100,8,64,488,24,east,,9.6\n"
        "small,V100,4,32,244,12,east,,4.8\n"};
    const Scenario scenario = read("{file: " + list.path() + ", type: big, purchase: spot}");
    CHECK_FALSE(scenario.fleet[0].price_varies());
    CHECK(scenario.fleet[0].rate == MoneyRate{1'200'000'000});
    CHECK(mentions(scenario.assumed, "price of pool cloud is constant"));
    CHECK(mentions(scenario.unmodelled, "pool cloud: price changes of spot capacity"));
    CHECK(mistakes("{file: " + list.path() + ", type: small, purchase: spot}") ==
          "s.yaml:8:20: fleet.cloud.gpus_per_node: a machine of small east spot has 4 GPUs (says " +
              scenario.fleet[0].file_price->name() + ")");
}

TEST_CASE("a price for another number of GPUs than the pool's is refused, or listed as assumed") {
    const auto of_type = [](const std::string& type) {
        return "timestamp,instance_type,availability_zone,spot_price_usd_per_hour,product\n"
               "2020-01-05 00:00:00," +
               type + ",us-east-1a,8,Linux/UNIX\n";
    };
    const test::TemporaryFile small{of_type("p3.2xlarge")};
    CHECK(mistakes("{file: " + small.path() + "}") ==
          "s.yaml:8:20: fleet.cloud.gpus_per_node: a machine of p3.2xlarge us-east-1a Linux/UNIX "
          "spot has 1 GPU (by the name of its type)");
    const test::TemporaryFile other{of_type("p5.48xlarge")};
    CHECK(mistakes("{file: " + other.path() + "}") ==
          "s.yaml:6:10: fleet.cloud.gpu: a machine of p5.48xlarge us-east-1a Linux/UNIX spot has "
          "H100 (by the name of its type); another type, or a price that is a number");
    const test::TemporaryFile unknown{of_type("x9.huge")};
    CHECK(mentions(read("{file: " + unknown.path() + "}").assumed,
                   "pool cloud: a machine of x9.huge us-east-1a Linux/UNIX spot has 8 GPUs of its "
                   "kind, which "));
    const test::TemporaryFile same{of_type("p3.16xlarge")};
    CHECK_FALSE(mentions(read("{file: " + same.path() + "}").assumed, "a machine of"));
    const test::TemporaryFile of_gpus{plain};
    CHECK_FALSE(mentions(read("{file: " + of_gpus.path() + ", per: gpu}").assumed, "a machine of"));
}

TEST_CASE("mistakes of a price file are reported at the keys, or in the file") {
    const test::TemporaryFile good{history};
    const test::TemporaryFile undated{plain};
    const test::TemporaryFile bad{"time,price\n0,8\n3600,x\n"};
    const std::pair<std::string, std::string> cases[]{
        {"{zone: a}", "s.yaml:9:12: fleet.cloud.price: missing: one of file, generate"},
        {"{file: " + good.path() + "}",
         "s.yaml:9:12: fleet.cloud.price.zone: 2 zones of " + good.path() +
             " match (us-east-1a, us-east-1b); choose one with `zone`"},
        {"{file: " + good.path() + ", zone: us-east-1c}", "fleet.cloud.price.zone: \"us-east-1c\""},
        {"{file: " + good.path() + ", zone: us-east-1a, per: gpu}",
         "fleet.cloud.price.per: the file prices whole machines (its format is aws-spot-csv); "
         "remove it"},
        {"{file: " + undated.path() + "}",
         "s.yaml:9:12: fleet.cloud.price.per: missing (the file does not say whether a price is of "
         "a node or of a GPU); give node or gpu"},
        {"{file: " + bad.path() + ", per: gpu}", bad.path() + ":3:6: "},
        {"{file: " + good.path() + ", format: azure}", "fleet.cloud.price.format: "},
        {"{file: nowhere.csv}", "s.yaml:9:19: fleet.cloud.price.file: "},
    };
    for (const auto& [price, told] : cases) {
        CAPTURE(price);
        CHECK_MESSAGE(mistakes(price).find(told) != std::string::npos, mistakes(price));
    }
}

TEST_CASE("outliers among prices are dropped if the scenario says so") {
    const test::TemporaryFile file{"time,price\n0,8\n3600,90\n7200,8\n10800,8\n"};
    const std::string offer = "{file: " + file.path() + ", per: node";
    CHECK(read(offer + "}").fleet[0].file_price->steps.rate.size() == 3);
    CHECK(read(offer + ", outliers: drop}").fleet[0].file_price->steps.rate ==
          std::vector<std::int64_t>{8 * nano_usd_per_usd});
}

TEST_CASE("prices are drawn by a stated law") {
    const Scenario scenario = read("{generate: {family: mean-reverting, mean: 8 USD/node-h, floor: "
                                   "4 USD/node-h, ceiling: 20 USD/node-h, every: 4 h, swing: 0.2, "
                                   "memory: 1 d}}");
    const PoolSpec& pool = scenario.fleet[0];
    REQUIRE(pool.drawn_price);
    CHECK(pool.price_varies());
    CHECK(is_random(scenario));
    CHECK(pool.price_basis == "drawn by the seed: mean-reverting");
    CHECK_FALSE(mentions(scenario.assumed, "is constant"));
    CHECK_FALSE(mentions(scenario.unmodelled, "price changes"));

    // 400 days: the stated figures are met.
    const Duration until = 400 * day;
    const PriceSeries series = pool.drawn_price->per_gpu_hour(8, until, 1, "cloud");
    const PriceStatistics found = price_statistics(series, until);
    CHECK(found.mean.count() == doctest::Approx(1e9).epsilon(0.03));
    CHECK(found.changes_per_day == doctest::Approx(6).epsilon(0.05));
    CHECK(found.min >= MoneyRate{500'000'000});
    CHECK(found.max <= MoneyRate{2'500'000'000});
    CHECK(series == pool.drawn_price->per_gpu_hour(8, until, 1, "cloud"));
    CHECK(series != pool.drawn_price->per_gpu_hour(8, until, 2, "cloud"));
    CHECK(series != pool.drawn_price->per_gpu_hour(8, until, 1, "other"));
}

TEST_CASE("the first price is drawn, and `memory` is the time of a correlation of 1 / e") {
    // The case of a planner: 60 h at a swing of 1. Floor and ceiling cut off next to nothing.
    const Scenario scenario = read("{generate: {family: mean-reverting, mean: 8 USD/gpu-h, floor: "
                                   "0.000001 USD/gpu-h, ceiling: 900000 USD/gpu-h, every: 4 h, "
                                   "swing: 1, memory: 10 h}}");
    const DrawnPrice& price = *scenario.fleet[0].drawn_price;
    constexpr std::size_t n = 20'000; // seeds
    constexpr std::array lags{0 * hour, 5 * hour, 10 * hour, 20 * hour};
    std::array<double, lags.size()> products{};
    double mean = 0;
    for (std::size_t seed = 1; seed <= n; ++seed) {
        const PriceSeries series = price.per_gpu_hour(8, 60 * hour, seed, "p");
        const auto log_at = [&](Duration time) { // about the stationary mean
            const auto after = std::ranges::upper_bound(series.start_ms, time.count());
            const auto step = after - series.start_ms.begin() - 1;
            return std::log(static_cast<double>(series.rate[static_cast<std::size_t>(step)])) -
                   (std::log(8e9) - 0.5);
        };
        for (std::size_t lag = 0; lag < lags.size(); ++lag)
            products[lag] += log_at(Duration{}) * log_at(lags[lag]) / n;
        mean += static_cast<double>(price_statistics(series, 60 * hour).mean.count()) / n;
    }
    // Standard errors: of the variance sqrt(2 / n) = 0.01, of a product at most as much; of the
    // mean of 60 h below that of one price, sqrt(e - 1) / sqrt(n) = 0.0093.
    CHECK(products[0] == doctest::Approx(1).epsilon(0.04));
    CHECK(std::abs(products[1] - std::exp(-0.5)) < 0.04);
    CHECK(std::abs(products[2] - std::exp(-1.0)) < 0.03);
    CHECK(std::abs(products[3] - std::exp(-2.0)) < 0.03);
    CHECK(mean == doctest::Approx(8e9).epsilon(0.03));
}

TEST_CASE("a drawn price begins the same for any length") {
    for (const std::string law :
         {"family: mean-reverting, mean: 1 USD/gpu-h, floor: 0.5 USD/gpu-h, ceiling: 2 USD/gpu-h, "
          "every: 4 h, swing: 0.2, memory: 1 d",
          "family: regime-switching, cheap: {floor: 1 USD/gpu-h, stay: 1 d, spread: 0.2}, dear: "
          "{floor: 2 "
          "USD/gpu-h, ceiling: 3 USD/gpu-h, stay: 5 h, every: 1 h}"}) {
        CAPTURE(law);
        const Scenario scenario = read("{generate: {" + law + "}}");
        const DrawnPrice& price = *scenario.fleet[0].drawn_price;
        const PriceSeries longer = price.per_gpu_hour(8, 30 * day, 3, "p");
        PriceSeries begun = price.per_gpu_hour(8, 10 * day, 3, "p");
        REQUIRE(begun.size() > 5);
        REQUIRE(begun.size() < longer.size());
        CHECK(std::ranges::equal(begun.start_ms, longer.start_ms | std::views::take(begun.size())));
        CHECK(std::ranges::equal(begun.rate, longer.rate | std::views::take(begun.size())));
    }
}

TEST_CASE("prices are drawn like those of a file; pools of one offer have one price") {
    std::string text = "time,price\n";
    for (int i = 0; i < 60; ++i)
        text += std::to_string(i * 7200 + i % 7 * 300) + ',' + (i % 5 == 0 ? "16" : "8") + "." +
                std::to_string(i % 3) + '\n';
    const test::TemporaryFile file{text};
    const std::string like = "like: " + file.path() + ", per: node";
    const Scenario scenario = read("{generate: {" + like + "}}");
    const DrawnPrice& price = *scenario.fleet[0].drawn_price;
    REQUIRE(price.like);
    CHECK(price.per == PricePer::node);
    CHECK(scenario.fleet[0].price_basis.starts_with("drawn by the seed: "));
    CHECK(scenario.fleet[0].price_basis.find(", like the price of ") != std::string::npos);
    CHECK(price.assumed().find("it meets within ") != std::string::npos);
    CHECK(price.per_gpu_hour(8, day, 1, "a") == price.per_gpu_hour(8, day, 1, "b"));
    CHECK(std::ranges::count(scenario.inputs, file.path()) == 1);

    const Scenario blocks =
        read("{generate: {" + like + ", family: block-bootstrap, block: 12 h}}");
    const auto& generator = std::get<BlockBootstrapPrices>(blocks.fleet[0].drawn_price->generator);
    CHECK(generator.block == 12 * hour);
}

TEST_CASE("mistakes of a law of prices are reported at its keys") {
    const test::TemporaryFile still{"time,price\n0,8\n3600,8\n"};
    const std::string reverting = "family: mean-reverting, mean: 8 USD/node-h, every: 4 h, swing: "
                                  "0.2, memory: 1 d, floor: ";
    const std::pair<std::string, std::string> cases[]{
        {"{}", "price.generate: has no law; give like, or family and its keys"},
        {"{family: block-bootstrap}", "generate.like: missing (blocks are taken from a file)"},
        {"{family: mean-reverting}", "generate.mean: missing (mean-reverting needs it)"},
        {"{family: regime-switching, cheap: {floor: 1 USD/gpu-h, stay: 1 d}}",
         "generate.dear: missing (regime-switching needs it)"},
        {"{family: regime-switching, mean: 1 USD/gpu-h}",
         "generate.mean: belongs to family mean-reverting (the family is regime-switching)"},
        {"{family: regime-switching, cheap: {floor: 2 USD/gpu-h, ceiling: 1 USD/gpu-h, stay: 1 d}}",
         "generate.cheap.ceiling: is below the floor"},
        {"{" + reverting + "9 USD/node-h, ceiling: 10 USD/node-h}",
         "generate.mean: is not between floor and ceiling"},
        {"{" + reverting + "1 USD/gpu-h, ceiling: 10 USD/node-h}",
         "generate.mean: floor, ceiling and mean are not per the same thing"},
        {"{" + reverting + "0 USD/node-h, ceiling: 10 USD/node-h}",
         "generate.floor: a price of 0 has no logarithm"},
        {"{family: mean-reverting, mean: 8 USD/node-h, floor: 4 USD/node-h, ceiling: 20 "
         "USD/node-h, every: 4 h, swing: 0.2, memory: 239 min}",
         "generate.memory: is shorter than `every` (a price stays as it is until its next change)"},
        {"{like: " + still.path() + ", per: gpu}", "generate.like: the price never changes"},
        {"{like: " + still.path() + ", per: gpu, swing: 1}",
         "generate.swing: belongs to family mean-reverting (prices like those of a file have no "
         "law of their own)"},
        {"{family: regime-switching, zone: a}", "generate.zone: needs `like`"},
    };
    for (const auto& [law, told] : cases) {
        CAPTURE(law);
        const std::string found = mistakes("{generate: " + law + "}");
        CHECK_MESSAGE(found.find(told) != std::string::npos, found);
    }
    CHECK(mistakes("{generate: {}, zone: a}").find("price.zone: needs `file`") ==
          std::string::npos); // nothing was drawn: one mistake, not two
}

} // namespace bursar::price_keys_test
