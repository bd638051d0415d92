#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "reports/bill/printed_bill.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/summary/sentences.hpp"

#include "tests/reports/support/sample_result.hpp"

namespace bursar::in_currency_test {
namespace {

/// 33.20 USD of GPU time and 1.25 USD of storage.
Result in_euro() {
    Result result = test::sample_result();
    result.run.currency = BillCurrency{"EUR", 1'080'000'000, "2026-01-31", "ECB"};
    return result;
}

std::string rendered(std::string_view output, const Result& result) {
    StringSink sink;
    find_output(output)->write(result, {}, sink);
    return sink.text();
}

} // namespace

TEST_CASE("totals in another currency, by hand") {
    const BillCurrency euro{"EUR", 1'080'000'000, "", ""};
    CHECK(in_currency(1'080'000, euro) == 1'000'000);
    CHECK(in_currency(1, euro) == 1);                           // 0.93
    CHECK(in_currency(1, {"CHF", 2'000'000'000, "", ""}) == 1); // one half
    const Result result = in_euro();
    const CurrencyTotals totals = totals_in_currency(result, print_bill(result));
    CHECK(totals.total == 31'898'148); // 34.45 / 1.08
    CHECK(totals.paid == 30'740'741);
    CHECK(totals.paid + totals.other == totals.total);
}

TEST_CASE("a bill prints its total in the scenario's currency, with the rate") {
    CHECK(currency_sentence(test::sample_result()).empty());
    CHECK(currency_sentence(in_euro()) ==
          "total 31.90, of it paid 30.74 and other 1.16, at 1.08 USD as of 2026-01-31 (ECB)");
    Result result = in_euro();
    result.run.other_costs.clear();
    result.run.currency->day.clear();
    result.run.currency->source.clear();
    CHECK(currency_sentence(result) == "total 30.74, at 1.08 USD, of no date");
}

TEST_CASE("every format with totals has them in the currency, too") {
    const Result result = in_euro();
    CHECK(rendered("table", result).find("  in EUR: total 31.90, of it paid") != std::string::npos);
    CHECK(rendered("markdown", result).find("in EUR: total 31.90, of it paid") !=
          std::string::npos);
    CHECK(rendered("json", result).find("\"total\": 31.898148") != std::string::npos);
    const std::string tenants = rendered("tenants", result);
    CHECK(tenants.find(",rho_max,cost_in_currency,currency\n") != std::string::npos);
    CHECK(tenants.find(",EUR\n") != std::string::npos);
    CHECK(rendered("tenants", test::sample_result()).find("currency") == std::string::npos);
}

} // namespace bursar::in_currency_test
