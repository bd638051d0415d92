#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace bursar { inline namespace reports {

/// The columns of focus.csv, in their order: those of FOCUS that must be there, those that may,
/// those that 1.3 added, then our own, whose names begin with x_.
inline constexpr std::array<std::string_view, 69> focus_columns{"BilledCost",
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
                                                                "CommitmentDiscountUnit",
                                                                "AllocatedMethodId",
                                                                "AllocatedMethodDetails",
                                                                "AllocatedResourceId",
                                                                "AllocatedResourceName",
                                                                "AllocatedTags",
                                                                "ContractApplied",
                                                                "ServiceProviderName",
                                                                "HostProviderName",
                                                                "x_Leaf",
                                                                "x_LeafGroup",
                                                                "x_JobId",
                                                                "x_Attempt",
                                                                "x_GpuType",
                                                                "x_PurchaseOption",
                                                                "x_Simulated",
                                                                "x_ScenarioHash"};

/// A column by its name; one that is none does not compile.
struct FocusColumn {
    std::size_t place{};

    // NOLINTNEXTLINE(google-explicit-constructor): a name is what code says
    consteval FocusColumn(const char* name) {
        while (focus_columns.at(place) != name)
            ++place;
    }
};

/// The columns of 1.3 that 1.2 does not have: [first, end).
inline constexpr std::size_t first_of_1_3 = FocusColumn{"AllocatedMethodId"}.place;
inline constexpr std::size_t end_of_1_3 = FocusColumn{"x_Leaf"}.place;

}} // namespace bursar::reports
