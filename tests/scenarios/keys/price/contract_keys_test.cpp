#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "scenarios/keys/read_scenario.hpp"

#include "tests/scenarios/scenario/test_names.hpp"
#include "tests/scenarios/traces/temporary_file.hpp"

namespace bursar::contract_keys_test {
namespace {

/// pool: keys of a pool of 2 x 8 GPUs. rest: keys of the scenario.
Scenario read(const std::string& pool, const std::string& rest = "") {
    static const Catalogue builtin = builtin_catalogue();
    const std::string text =
        "bursar: 1\n"
        "workload: {trace: {file: jobs.csv}}\n"
        "fleet: [{pool: base, gpu: V100-SXM2-16GB, nodes: 2, gpus_per_node: 8, " +
        pool + "}]\n" + rest;
    return read_scenario_text(text, "s.yaml", {}, test::known_names(), builtin);
}

std::string mistakes(const std::string& pool, const std::string& rest = "") {
    try {
        read(pool, rest);
    } catch (const ScenarioError& error) {
        return error.what();
    }
    return {};
}

bool mentions(const std::vector<std::string>& texts, std::string_view words) {
    return std::ranges::any_of(
        texts, [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

constexpr std::string_view euro = "currencies: {EUR: {usd: 1.08, date: 2026-01-31}}\n";

} // namespace

TEST_CASE("an upfront payment is spread over the term") {
    const std::string reserved = "purchase: reserved, price: 1 USD/gpu-h, upfront: 70080 USD/node";
    const Scenario amortised = read(reserved + ", term: {length: 1 y, paid: amortised}");
    const PoolSpec& pool = amortised.fleet[0];
    CHECK(pool.rate == MoneyRate{2'000'000'000}); // 70,080 / 8 GPUs / 8,760 h
    CHECK(pool.is_amortised);
    CHECK_FALSE(pool.term);
    CHECK(pool.price_basis ==
          "declared, with 1 USD per GPU-hour of what is paid upfront over 8760 h");
    const Scenario whole = read(reserved + ", term: 1 y");
    CHECK(whole.fleet[0].rate == pool.rate);
    CHECK(whole.fleet[0].term == year);
    CHECK(read(reserved + ", term: {length: 2 y, paid: whole}").fleet[0].rate ==
          MoneyRate{1'500'000'000});
    CHECK(read("purchase: reserved, price: 1 USD/gpu-h, term: amortised").fleet[0].rate ==
          MoneyRate{1'000'000'000});
}

TEST_CASE("prices in another currency are converted at its rate, with a note") {
    const Scenario scenario = read("purchase: on_demand, price: 2 EUR/gpu-h", std::string{euro});
    CHECK(scenario.fleet[0].rate == MoneyRate{2'160'000'000});
    CHECK(mentions(scenario.assumed, "1 EUR is 1.08 USD as of 2026-01-31"));
    const Scenario owned = read("purchase: owned, owned: {capex: 87600 EUR/node, life: 1 y, power: "
                                "1 kW, electricity: 0.1 EUR/kWh}",
                                std::string{euro});
    CHECK(owned.fleet[0].rate == MoneyRate{1'350'000'000 + 108'000'000});
    CHECK(read("purchase: spot, price: {generate: {family: regime-switching, cheap: {floor: 1 "
               "EUR/gpu-h, stay: 1 d}, dear: {floor: 2 EUR/gpu-h, stay: 1 d}}}",
               std::string{euro})
              .fleet[0]
              .drawn_price->per_gpu_hour(8, day, 1, "p")
              .rate.front() == 1'080'000'000);
    const test::TemporaryFile file{"time,price\n0,8\n3600,16\n"};
    CHECK(read("purchase: spot, price: {file: " + file.path() + ", per: gpu, currency: EUR}",
               std::string{euro})
              .fleet[0]
              .file_price->steps.rate == std::vector<std::int64_t>{8'640'000'000, 17'280'000'000});
}

TEST_CASE("prices with the sign of one currency are not read as another one") {
    const auto price = [](const test::TemporaryFile& file) {
        return "purchase: spot, price: {file: " + file.path() + ", per: gpu, currency: EUR}";
    };
    const test::TemporaryFile euros{"time,price\n0,8 EUR\n3600,\u20ac16\n"};
    CHECK(read(price(euros), std::string{euro}).fleet[0].file_price->steps.rate ==
          std::vector<std::int64_t>{8'640'000'000, 17'280'000'000});
    const test::TemporaryFile dollars{"time,price\n0,$8\n3600,$16\n"};
    const std::string told = mistakes(price(dollars), std::string{euro});
    CHECK_MESSAGE(told.find(dollars.path() + ":2:3: price: \"$8\" is not in EUR, as on line 3 "
                                             "(prices are taken in EUR); leave `currency` out") !=
                      std::string::npos,
                  told);
}

TEST_CASE("bills may have their totals in a declared currency, too") {
    const Scenario scenario = read("purchase: on_demand, price: 2 EUR/gpu-h",
                                   "currencies: {EUR: {usd: 1.08, date: 2026-01-31, source: ECB}}\n"
                                   "report: {currency: EUR}\n");
    CHECK(scenario.bill_currency == "EUR");
    CHECK(mentions(scenario.assumed, "1 EUR is 1.08 USD as of 2026-01-31 (ECB)"));
}

TEST_CASE("commitments are promises on pools") {
    const Scenario scenario = read("purchase: on_demand, price: 2 USD/gpu-h",
                                   "commitments: [{name: a, spend: 720 USD/month, pools: base}]\n");
    REQUIRE(scenario.commitments.size() == 1);
    CHECK(scenario.commitments[0].spend.nano_usd == 720 * nano_usd_per_usd);
    CHECK(scenario.commitments[0].spend.period == 730 * hour);
    CHECK(scenario.commitments[0].pools == std::vector<std::string>{"base"});
}

TEST_CASE("mistakes of contracts are reported at their keys") {
    const std::string good = "purchase: on_demand, price: 2 USD/gpu-h";
    const std::string reserved = "purchase: reserved, price: 2 USD/gpu-h, upfront: 1 USD/gpu";
    struct Case {
        std::string pool, rest, told;
    };
    const Case cases[]{
        {good + ", upfront: 1 USD/gpu", "", "fleet.base.upfront: only for purchase reserved"},
        {reserved, "", "fleet.base.term: missing (upfront is paid once for each term)"},
        {reserved + ", term: amortised", "", "fleet.base.term: has no length"},
        {reserved + ", term: 1 s", "", "fleet.base.term: too short to pay for upfront"},
        {reserved + ", term: amortized", "", "\"amortized\" is neither a quantity nor amortised"},
        {"purchase: on_demand, price: 2 CHF/gpu-h",
         std::string{euro},
         "fleet.base.price: CHF is no currency of this scenario (known: USD, EUR); declare it: "
         "`currencies: {CHF: {usd: RATE, date: DAY}}`"},
        {"purchase: on_demand, price: 2 EUR", std::string{euro}, "has the unknown unit \"USD\""},
        {"purchase: on_demand, price: $2/gpu-h", "", "does not start with a number"},
        {"purchase: on_demand, price: -2 USD/gpu-h", "", "is negative"},
        {good + ", discount: {}", "", "fleet.base.discount: is no discount"},
        {"purchase: owned, price: 1 USD/gpu-h, discount: {sustained_use: [1, 0.8]}",
         "",
         "fleet.base.discount: not for purchase owned"},
        {"purchase: spot, discount: {sustained_use: [1, 0.8]}, price: {paid: at-launch, generate: "
         "{family: regime-switching, cheap: {floor: 1 USD/gpu-h, stay: 1 d}, dear: {floor: 2 "
         "USD/gpu-h, stay: 1 d}}}",
         "",
         "fleet.base.discount: cannot be combined with the price of the launch"},
        {good + ", discount: {volume: [{from: 2 gpu-h, share: 0.9}, {from: 1 gpu-h, share: 0.8}]}",
         "",
         "discount.volume: tiers are not in the order of their GPU time"},
        {good + ", discount: {sustained_use: [0.4, 1]}",
         "",
         "fleet.base.discount.sustained_use: a later share is above an earlier one"},
        {good + ", discount: {volume: [{from: 1 gpu-h, share: 0.8}, {from: 2 gpu-h, share: 0.9}]}",
         "",
         "fleet.base.discount.volume: a later share is above an earlier one"},
        {good, "currencies: {EUR: {usd: 1, date: 2026-31-01}}", "\"2026-31-01\" is not a day"},
        {good, "currencies: {EUR: {usd: 1, date: 2026-02-30}}", "\"2026-02-30\" is not a day"},
        {good, "currencies: {euro: {usd: 1}}", "\"euro\" is no code of a currency"},
        {good, "currencies: {USD: {usd: 1}}", "currencies.USD: is what rates are in"},
        {good, "currencies: {EUR: {usd: 0}}", "currencies.EUR.usd: \"0\" is no rate"},
        {good, "currencies: {EUR: {date: 2026-01-31}}", "currencies.EUR.usd: missing"},
        {good,
         "commitments: [{name: a, spend: 1 USD/h, pools: bse}]",
         "pools: no pool is named \"bse\""},
        {good,
         "commitments: [{name: a, spend: 1 USD/h, pools: base}, {name: a, spend: 1 USD/h, pools: "
         "base}]",
         "duplicate name"},
        {good,
         "commitments: [{name: a, spend: 1 USD/h, pools: base}, {name: b, spend: 1 USD/h, pools: "
         "base}]",
         "\"base\" counts towards a commitment already"},
        {good, "commitments: [{name: a, spend: 1 USD, pools: base}]", "unknown unit"},
        {good + ", region: here",
         "egress: [{from: hre, price: 1 USD/GB}]",
         "no pool is in a region \"hre\""},
        {good, "egress: [{price: 1 USD/TB}]", "unknown unit"},
        {good, "report: {currency: USD}", "report.currency: bills are in dollars anyway"},
        {good, "report: {currency: EUR}", "report.currency: \"EUR\" is no currency of this"},
    };
    for (const auto& [pool, rest, told] : cases) {
        CAPTURE(pool);
        CAPTURE(rest);
        const std::string found = mistakes(pool, rest);
        CHECK_MESSAGE(found.find(told) != std::string::npos, found);
    }
}

} // namespace bursar::contract_keys_test
