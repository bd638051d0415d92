// Idle time charged to tenants in focus.csv 1.3: split charges, by the rules of the specification.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "reports/bill/tenant_shares.hpp"

#include "tests/properties.hpp"
#include "tests/reports/focus/focus_file.hpp"

namespace bursar::test::focus_split_test {
namespace {

constexpr int128 billion = 1'000'000'000;
const std::vector<std::string> allocated_columns{"AllocatedMethodId",
                                                 "AllocatedMethodDetails",
                                                 "AllocatedResourceId",
                                                 "AllocatedResourceName",
                                                 "AllocatedTags"};
/// Columns that add up over the rows that a charge is split into.
const std::set<std::string> summable{"BilledCost",
                                     "EffectiveCost",
                                     "ContractedCost",
                                     "ListCost",
                                     "PricingQuantity",
                                     "ConsumedQuantity",
                                     "CommitmentDiscountQuantity"};

/// A row without the columns that splitting adds, and without those that add up.
std::string origin_of(const FocusRow& row, const std::vector<std::string>& header) {
    std::string key;
    for (const std::string& column : header)
        if (!column.starts_with("Allocated"))
            key +=
                (summable.contains(column) ? (row.is_null(column) ? "" : "#") : row[column]) + "|";
    return key;
}

/// Sums of the rows of each charge, by column.
std::map<std::string, std::map<std::string, int128>> sums_of(const FocusFile& file) {
    std::map<std::string, std::map<std::string, int128>> sums;
    for (const FocusRow& row : file.rows) {
        std::map<std::string, int128>& charge = sums[origin_of(row, file.header)];
        for (const std::string& column : summable)
            charge[column] += row.is_null(column) ? 0 : row.exact(column);
    }
    std::erase_if(sums, [](const auto& charge) { // such as roundings that cancel out
        return std::ranges::all_of(charge.second, [](const auto& sum) { return sum.second == 0; });
    });
    return sums;
}

/// "0.25" in billionths.
int128 billionths(const nlohmann::json& number) {
    return static_cast<int128>(std::llround(number.get<double>() * 1e9));
}

} // namespace

TEST_CASE("focus 1.3: rows that share idle time add up to the original charges") {
    CHECK(check_property([] {
        const Result result = random_focus_result();
        const FocusFile whole = focus_file(result, FocusVersion::v1_3);
        const auto sums = sums_of(whole);
        for (const ShareIdle mode : {ShareIdle::even, ShareIdle::usage, ShareIdle::quota}) {
            const FocusFile split = focus_file(result, FocusVersion::v1_3, mode);
            RC_ASSERT(sums_of(split) == sums);
            if (mode == ShareIdle::quota) // there are no quotas
                RC_ASSERT(split.text == whole.text);
        }
    }));
}

TEST_CASE("focus 1.3: split rows state method, ratio and target, and no other row does") {
    CHECK(check_property([] {
        const Result result = random_focus_result();
        for (const ShareIdle mode : {ShareIdle::even, ShareIdle::usage}) {
            const FocusFile file = focus_file(result, FocusVersion::v1_3, mode);
            const std::string method =
                "share-idle/" + std::string{share_idle_names[static_cast<std::size_t>(mode)]};
            std::map<std::string, int128> ratios;
            for (const FocusRow& row : file.rows) {
                const bool is_idle = row["x_LeafGroup"] == "idle" && !row.is_purchase();
                const bool is_split = !row.is_null("AllocatedMethodId");
                RC_ASSERT(!is_split || is_idle);
                for (const std::string& column : allocated_columns)
                    RC_ASSERT(row.is_null(column) != is_split);
                if (!is_split)
                    continue;
                RC_ASSERT(row["AllocatedMethodId"] == method);
                RC_ASSERT(row.is_null("SubAccountId")); // as in the original charge
                RC_ASSERT(row["AllocatedResourceId"].starts_with("tenant/"));
                const auto details = nlohmann::json::parse(row["AllocatedMethodDetails"]);
                RC_ASSERT(details["Elements"].size() == 1U);
                const auto& element = details["Elements"][0];
                ratios[origin_of(row, file.header)] += billionths(element["AllocatedRatio"]);
                RC_ASSERT(element.contains("UsageQuantity") == (mode == ShareIdle::usage));
                RC_ASSERT(element.contains("UsageUnit") == element.contains("UsageQuantity"));
                const auto tags = nlohmann::json::parse(row["Tags"]);
                const auto allocated = nlohmann::json::parse(row["AllocatedTags"]);
                RC_ASSERT(allocated.size() == 1U);
                RC_ASSERT(!tags.contains(allocated.begin().key()));
            }
            for (const auto& [origin, ratio] : ratios)
                RC_ASSERT(ratio % billion == 0); // equal charges of other prices: 1 each
        }
    }));
}

TEST_CASE("focus 1.3: tenants are charged as in tenants.csv") {
    Result result;
    result.end = result.window_end = 2 * hour;
    result.tenants = {"a", "b"};
    result.pools.push_back(
        {"p", "V100", "", Purchase::owned, 1, 8, PoolPrice{MoneyRate{1'000'000'000}}});
    const auto book = [&](std::optional<std::uint32_t> tenant, Leaf leaf, std::int64_t gpus) {
        const SlotTime held = slot_time(gpus * slots_per_gpu, 2 * hour);
        result.cells.push_back({0, tenant, leaf, held, MoneyRate{1'000'000'000} * held});
    };
    book(0, Leaf::prod_useful, 1);
    book(1, Leaf::prod_useful, 3);
    book(std::nullopt, Leaf::idle_no_demand, 4);
    std::map<std::string, int128> charged;
    for (const FocusRow& row : focus_file(result, FocusVersion::v1_3, ShareIdle::usage).rows)
        charged[row["SubAccountName"] + row["AllocatedResourceName"]] += row.exact("EffectiveCost");
    CHECK(charged.size() == 2);
    const auto usd = [](std::int64_t dollars) { return int128{dollars} * 1'000'000 * billion; };
    CHECK(charged["a"] == usd(4)); // 2 of its own, a quarter of 8
    CHECK(charged["b"] == usd(12));
}

} // namespace bursar::test::focus_split_test
