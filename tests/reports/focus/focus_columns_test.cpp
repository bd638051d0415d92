// The columns of focus.csv by version, and values that belong to one name throughout a file.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "tests/properties.hpp"
#include "tests/reports/focus/focus_file.hpp"

namespace bursar::test::focus_columns_test {
namespace {

const std::vector<std::string> columns_of_1_2{"BilledCost",
                                              "BillingAccountId",
                                              "BillingAccountName",
                                              "BillingCurrency",
                                              "BillingPeriodStart",
                                              "BillingPeriodEnd",
                                              "ChargeCategory",
                                              "ChargeClass",
                                              "ChargeDescription",
                                              "ChargePeriodStart",
                                              "ChargePeriodEnd",
                                              "ContractedCost",
                                              "EffectiveCost",
                                              "InvoiceIssuerName",
                                              "ListCost",
                                              "PricingQuantity",
                                              "PricingUnit",
                                              "ProviderName",
                                              "PublisherName",
                                              "ServiceCategory",
                                              "ServiceName",
                                              "AvailabilityZone",
                                              "ChargeFrequency",
                                              "ServiceSubcategory",
                                              "InvoiceId",
                                              "RegionId",
                                              "RegionName",
                                              "ResourceId",
                                              "ResourceName",
                                              "ResourceType",
                                              "SkuId",
                                              "SkuMeter",
                                              "SkuPriceId",
                                              "SkuPriceDetails",
                                              "SubAccountId",
                                              "SubAccountName",
                                              "SubAccountType",
                                              "BillingAccountType",
                                              "Tags",
                                              "ConsumedQuantity",
                                              "ConsumedUnit",
                                              "ListUnitPrice",
                                              "ContractedUnitPrice",
                                              "PricingCategory",
                                              "CapacityReservationId",
                                              "CapacityReservationStatus",
                                              "CommitmentDiscountCategory",
                                              "CommitmentDiscountId",
                                              "CommitmentDiscountName",
                                              "CommitmentDiscountQuantity",
                                              "CommitmentDiscountStatus",
                                              "CommitmentDiscountType",
                                              "CommitmentDiscountUnit"};
const std::vector<std::string> added_by_1_3{"AllocatedMethodId",
                                            "AllocatedMethodDetails",
                                            "AllocatedResourceId",
                                            "AllocatedResourceName",
                                            "AllocatedTags",
                                            "ContractApplied",
                                            "ServiceProviderName",
                                            "HostProviderName"};
const std::vector<std::string> own_columns{"x_Leaf",
                                           "x_LeafGroup",
                                           "x_JobId",
                                           "x_Attempt",
                                           "x_GpuType",
                                           "x_PurchaseOption",
                                           "x_Simulated",
                                           "x_ScenarioHash"};

} // namespace

TEST_CASE("focus: each column of a version is present once, and our own come last") {
    std::vector<std::string> expected = columns_of_1_2;
    expected.insert(expected.end(), own_columns.begin(), own_columns.end());
    CHECK(focus_file({}).header == expected);
    expected = columns_of_1_2;
    expected.insert(expected.end(), added_by_1_3.begin(), added_by_1_3.end());
    expected.insert(expected.end(), own_columns.begin(), own_columns.end());
    CHECK(focus_file({}, FocusVersion::v1_3).header == expected);
}

TEST_CASE("focus: one service has one category, one tenant one name") {
    CHECK(check_property([] {
        std::set<std::pair<std::string, std::string>> services, tenants;
        for (const FocusRow& row : focus_file(random_focus_result()).rows) {
            services.emplace(row["ServiceName"], row["ServiceCategory"]);
            tenants.emplace(row["SubAccountId"], row["SubAccountName"]);
        }
        for (const auto& pairs : {services, tenants}) {
            std::set<std::string> keys;
            for (const auto& [key, value] : pairs)
                RC_ASSERT(keys.insert(key).second);
        }
    }));
}

TEST_CASE(
    "focus 1.3: without shared idle time nothing is split, and seller and host are the same") {
    CHECK(check_property([] {
        for (const FocusRow& row : focus_file(random_focus_result(), FocusVersion::v1_3).rows) {
            for (const std::string& column : added_by_1_3)
                RC_ASSERT(row.is_null(column) != column.ends_with("ProviderName"));
            RC_ASSERT(row["ServiceProviderName"] == row["ProviderName"]);
            RC_ASSERT(row["HostProviderName"] == row["ProviderName"]);
        }
    }));
}

} // namespace bursar::test::focus_columns_test
