// Dollars and hours of focus.csv equal those of every other file, and its names are escaped.

#include <map>
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "reports/bill/months.hpp"
#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/focus/focus_line.hpp"
#include "reports/rounding/printed_units.hpp"
#include "reports/text/decimal.hpp"

#include "tests/properties.hpp"
#include "tests/reports/focus/focus_file.hpp"

namespace bursar::test::focus_totals_test {
namespace {

/// By pool, tenant and leaf: GPU-hours and dollars in units of 10^-15.
using Totals = std::map<std::string, std::pair<int128, int128>>;
constexpr int128 micro = 1'000'000'000;

Totals expected(const Result& result) {
    const PrintedBill bill = print_bill(result);
    Totals totals;
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        const ResultCell& cell = result.cells[i];
        std::string key = focus_id("pool", result.pools[cell.pool].name) + "|";
        if (cell.tenant)
            key += focus_id("tenant", tenant_title(result.tenants[*cell.tenant]));
        auto& [hours, usd] = totals[key + "|" + std::string{name_of(cell.leaf)}];
        hours += bill.cell_hours[i] * micro;
        usd += bill.cell_usd[i] * micro;
    }
    std::erase_if(totals, [](const auto& total) {
        return total.second.first == 0 && total.second.second == 0;
    });
    return totals;
}

Totals of_file(const FocusFile& file) {
    Totals totals;
    for (const FocusRow& row : file.rows) {
        if (row.is_null("x_Leaf"))
            continue;
        auto& [hours, usd] =
            totals[row["ResourceId"] + "|" + row["SubAccountId"] + "|" + row["x_Leaf"]];
        hours += row.is_usage() ? row.exact("PricingQuantity") : 0;
        usd += row.exact("EffectiveCost");
    }
    return totals;
}

} // namespace

TEST_CASE(
    "focus: every pool, tenant and leaf has its printed hours and dollars, to the last digit") {
    CHECK(check_property([] {
        const Result result = random_focus_result();
        RC_ASSERT(of_file(focus_file(result)) == expected(result));
    }));
}

TEST_CASE("focus: billed cost and effective cost both add up to the total") {
    CHECK(check_property([] {
        const Result result = random_focus_result();
        std::map<std::string, int128> paid;
        std::map<std::string, int128> used;
        int128 billed = 0;
        int128 effective = 0;
        for (const FocusRow& row : focus_file(result).rows) {
            billed += row.exact("BilledCost");
            effective += row.exact("EffectiveCost");
            if (row.is_purchase())
                paid[row["CommitmentDiscountId"]] += row.exact("BilledCost");
            else if (!row.is_null("CommitmentDiscountId"))
                used[row["CommitmentDiscountId"]] += row.exact("EffectiveCost");
        }
        RC_ASSERT(billed == print_bill(result).total_usd * micro);
        RC_ASSERT(effective == billed);
        RC_ASSERT(paid == used);
    }));
}

TEST_CASE("focus: months are those of the bill, and tenants are charged as in every other file") {
    CHECK(check_property([] {
        const Result result = random_focus_result();
        const PrintedBill bill = print_bill(result);
        for (const ShareIdle mode : {ShareIdle::none, ShareIdle::even, ShareIdle::usage}) {
            for (const FocusVersion version : {FocusVersion::v1_2, FocusVersion::v1_3}) {
                std::map<std::string, int128> months, tenants;
                for (const FocusRow& row : focus_file(result, version, mode).rows) {
                    if (row["x_LeafGroup"] == "other_cost")
                        continue;
                    months[row["BillingPeriodStart"].substr(0, 7)] += row.exact("EffectiveCost");
                    std::string tenant = row["SubAccountName"];
                    if (version == FocusVersion::v1_3 && tenant.empty())
                        tenant = row["AllocatedResourceName"];
                    if (tenant.empty())
                        tenant = row["x_LeafGroup"] == "idle" ? idle_row_name : platform_row_name;
                    tenants[tenant] += row.exact("EffectiveCost");
                }
                for (const TenantShare& share : tenant_shares(result, bill, mode))
                    tenants[harmless_text(share.name)] -= share.printed_usd * micro;
                for (const auto& [tenant, rest] : tenants)
                    RC_ASSERT(rest == 0);
                for (const PrintedMonth& month : printed_months(result, bill))
                    if (month.name != no_month_name)
                        RC_ASSERT(months[month.name] == month.usd * micro);
            }
        }
    }));
}

TEST_CASE("focus: the rest of a term is unused, in the months after those of the bill") {
    Result result;
    result.zero_utc_ms = 1'506'902'400'000; // 2017-10-02
    result.end = result.window_end = 22 * day;
    const MoneyRate rate{nano_usd_per_usd};
    result.pools.push_back({"p", "V100", "", Purchase::reserved, 1, 1, PoolPrice{rate}});
    for (const auto& [leaf, days] :
         {std::pair{Leaf::unavail_reserved_unlaunched, 343}, std::pair{Leaf::idle_no_demand, 22}}) {
        const SlotTime held = slot_time(slots_per_gpu, days * day);
        result.cells.push_back({0, std::nullopt, leaf, held, rate * held});
    }
    std::map<std::string, int128> effective, billed;
    for (const FocusRow& row : focus_file(result).rows) {
        effective[row["ChargePeriodStart"]] += row.exact("EffectiveCost");
        billed[row["BillingPeriodStart"]] += row.exact("BilledCost");
        CHECK(row.is_purchase() != (row["CommitmentDiscountStatus"] == "Unused"));
    }
    constexpr int128 usd_a_day = int128{24} * 1'000'000 * micro;
    CHECK(effective.size() == 13);
    CHECK(effective["2017-10-02T00:00:00Z"] == 22 * usd_a_day);
    CHECK(effective["2017-11-01T00:00:00Z"] == 30 * usd_a_day);
    CHECK(effective["2018-10-01T00:00:00Z"] == 9 * usd_a_day); // 343 days after October
    CHECK(billed["2017-10-01T00:00:00Z"] == 365 * usd_a_day);
}

TEST_CASE("focus: what a commitment to spend leaves is unused, and bought") {
    Result result;
    result.end = result.window_end = hour;
    result.run.other_costs = {{"unused commitment c", Money{money_per_usd * 3}}};
    const FocusFile file = focus_file(result);
    REQUIRE(file.rows.size() == 2);
    CHECK(file.rows[0]["CommitmentDiscountStatus"] == "Unused");
    CHECK(file.rows[0]["CommitmentDiscountCategory"] == "Spend");
    CHECK(file.rows[0]["CommitmentDiscountId"] == "commitment/c");
    CHECK(file.rows[0]["EffectiveCost"] == "3");
    CHECK(file.rows[0]["BilledCost"] == "0");
    CHECK(file.rows[0]["PricingUnit"] == "USD");
    CHECK(file.rows[0].is_null("ConsumedQuantity"));
    CHECK(file.rows[1].is_purchase());
    CHECK(file.rows[1]["BilledCost"] == "3");
    CHECK(file.rows[1]["EffectiveCost"] == "0");
}

TEST_CASE("focus: a run without dates begins in 1970, one that is not divided is one period") {
    Result result;
    result.end = result.window_end = 90 * minute;
    result.pools.push_back({"p", "V100", "", Purchase::owned, 1, 8, PoolPrice{MoneyRate{3}}});
    const SlotTime held = slot_time(8 * slots_per_gpu, 90 * minute);
    result.cells.push_back({0, std::nullopt, Leaf::idle_no_demand, held, MoneyRate{3} * held});
    const FocusFile file = focus_file(result);
    REQUIRE(file.rows.size() >= 1);
    CHECK(file.rows[0]["ChargePeriodStart"] == "1970-01-01T00:00:00Z");
    CHECK(file.rows[0]["ChargePeriodEnd"] == "1970-01-01T02:00:00Z");
    CHECK(file.rows[0]["BillingPeriodEnd"] == "1970-02-01T00:00:00Z");
    CHECK(file.rows[0]["PricingQuantity"] == "12");
    CHECK(file.rows[0]["EffectiveCost"] == "0.000000036");
}

TEST_CASE("focus: names cannot run a formula, end a row or change a text") {
    CHECK(harmless_text("=cmd|' /C calc'!A0") == "'=cmd|' /C calc'!A0");
    for (const char* begin : {"+1", "-1", "@SUM(1)", "'x", "\uFF1D1"})
        CHECK(harmless_text(begin) == std::string{"'"} + begin);
    CHECK(harmless_text("a\nb\t\"c\",d") == "a\\nb\\t\"c\",d");
    CHECK(harmless_text("\u202Egnp") == "\\u202egnp");
    CHECK(harmless_text("vision") == "vision");
    CHECK(focus_id("tenant", "a b=\n") == "tenant/a%20b%3D%0A");
    CHECK(focus_id("tenant", "60") == "tenant/60");
    CHECK(check_property([] {
        for (const FocusRow& row : focus_file(random_focus_result()).rows)
            for (const char* column : {"SubAccountName",
                                       "ResourceName",
                                       "RegionId",
                                       "RegionName",
                                       "BillingAccountName",
                                       "ChargeDescription",
                                       "Tags",
                                       "x_GpuType"}) {
                const std::string& text = row[column];
                RC_ASSERT(text.empty() || std::string{"=+-@"}.find(text[0]) == std::string::npos);
                RC_ASSERT(std::ranges::none_of(
                    text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }));
            }
    }));
}

TEST_CASE("decimals of any number of places have no zeros at their end") {
    CHECK(decimal_text(0, 9) == "0");
    CHECK(decimal_text(-5, 3) == "-0.005");
    CHECK(decimal_text(1'200, 3) == "1.2");
    CHECK(decimal_text(-12'000, 3) == "-12");
    CHECK(decimal_text(123'456'789, 9) == "0.123456789");
}

} // namespace bursar::test::focus_totals_test
