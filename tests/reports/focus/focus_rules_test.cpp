// focus.csv against the rules of the FinOps Open Cost and Usage Specification 1.2 that apply to it:
// mandatory columns, null values, allowed values, and relations between columns. Each rule is one
// line of a table, checked on every row of random results.

#include <algorithm>
#include <array>
#include <regex>
#include <span>
#include <string>
#include <string_view>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "tests/properties.hpp"
#include "tests/reports/focus/focus_file.hpp"

namespace bursar::test::focus_rules_test {
namespace {

/// A rule for every row.
struct Rule {
    std::string_view text;
    bool (*holds)(const FocusRow& row);
};

void check_rules(std::span<const Rule> rules) {
    CHECK(check_property([&] {
        for (const FocusVersion version : {FocusVersion::v1_2, FocusVersion::v1_3}) {
            for (const FocusRow& row : focus_file(random_focus_result(), version).rows)
                for (const Rule& rule : rules)
                    if (!rule.holds(row))
                        RC_FAIL(std::string{rule.text} + " (" + row["ChargeCategory"] + ")");
        }
    }));
}

bool is_one_of(const std::string& text, std::initializer_list<std::string_view> values) {
    return std::ranges::find(values, text) != values.end();
}

bool has_number(const FocusRow& row, const std::string& column) {
    static const std::regex number{"-?(0|[1-9][0-9]*)(\\.[0-9]*[1-9])?"};
    return std::regex_match(row[column], number);
}

bool has_null_or_number(const FocusRow& row, const std::string& column) {
    return row.is_null(column) || has_number(row, column);
}

bool has_instant(const FocusRow& row, const std::string& column) {
    static const std::regex instant{
        "[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z"};
    return std::regex_match(row[column], instant);
}

/// Keys and values are a flat object: texts, numbers.
bool has_flat_json(const FocusRow& row, const std::string& column) {
    const nlohmann::json object = nlohmann::json::parse(row[column], nullptr, false);
    return object.is_object() && std::ranges::none_of(object, [](const nlohmann::json& value) {
               return value.is_structured();
           });
}

/// Usage and purchases must have it; other rows may.
bool has_if_priced(const FocusRow& row, const std::string& column) {
    return !(row.is_usage() || row.is_purchase()) || !row.is_null(column);
}

bool are_null_together(const FocusRow& row, const std::string& a, const std::string& b) {
    return row.is_null(a) == row.is_null(b);
}

/// If it has a unit price, price times quantity is the cost, to the last digit.
bool multiplies(const FocusRow& row, const std::string& price, const std::string& cost) {
    if (row.is_null(price))
        return row["ChargeCategory"] == "Adjustment";
    constexpr int128 micro = 1'000'000'000; // in 10^-15
    constexpr int128 nano = 1'000'000;
    const int128 quantity = row.exact("PricingQuantity");
    return quantity % micro == 0 && row.exact(price) % nano == 0 &&
           quantity / micro * (row.exact(price) / nano) == row.exact(cost);
}

bool is_committed(const FocusRow& row) {
    return !row.is_null("CommitmentDiscountId");
}

/// Of capacity, not of dollars to spend.
bool is_reservation(const FocusRow& row) {
    return row["CommitmentDiscountCategory"] == "Usage";
}

bool is_unused(const FocusRow& row) {
    return row["CommitmentDiscountStatus"] == "Unused";
}

constexpr std::array never_null{"BilledCost",         "BillingAccountId",  "BillingAccountName",
                                "BillingAccountType", "BillingCurrency",   "BillingPeriodStart",
                                "BillingPeriodEnd",   "ChargeCategory",    "ChargeDescription",
                                "ChargePeriodStart",  "ChargePeriodEnd",   "ContractedCost",
                                "EffectiveCost",      "InvoiceIssuerName", "ListCost",
                                "ProviderName",       "PublisherName",     "ServiceCategory",
                                "ServiceSubcategory", "ServiceName",       "ChargeFrequency"};
constexpr std::array always_null{
    "ChargeClass", "InvoiceId", "AvailabilityZone", "x_JobId", "x_Attempt"};
constexpr std::array of_priced{"PricingQuantity",
                               "PricingUnit",
                               "PricingCategory",
                               "ListUnitPrice",
                               "ContractedUnitPrice",
                               "SkuId",
                               "SkuPriceId",
                               "SkuMeter",
                               "SkuPriceDetails"};
constexpr std::array numbers{"BilledCost", "ContractedCost", "EffectiveCost", "ListCost"};
constexpr std::array numbers_or_null{"PricingQuantity",
                                     "ConsumedQuantity",
                                     "ListUnitPrice",
                                     "ContractedUnitPrice",
                                     "CommitmentDiscountQuantity"};
constexpr std::array instants{
    "BillingPeriodStart", "BillingPeriodEnd", "ChargePeriodStart", "ChargePeriodEnd"};
constexpr std::array ids{"BillingAccountId",
                         "ResourceId",
                         "SubAccountId",
                         "SkuId",
                         "SkuPriceId",
                         "CapacityReservationId",
                         "CommitmentDiscountId",
                         "x_ScenarioHash"};

template <auto& columns, auto check>
bool holds_of_all(const FocusRow& row) {
    return std::ranges::all_of(columns, [&](const char* column) { return check(row, column); });
}

} // namespace

TEST_CASE("focus: mandatory columns are not null, and unknown values are") {
    constexpr std::array rules{
        Rule{"what every charge has is never null (21 columns)",
             holds_of_all<never_null,
                          [](const FocusRow& row, const char* c) { return !row.is_null(c); }>},
        Rule{"ChargeClass, InvoiceId, AvailabilityZone, job and attempt are null (5)",
             holds_of_all<always_null,
                          [](const FocusRow& row, const char* c) { return row.is_null(c); }>},
        Rule{"usage and purchases are priced: quantity, unit, prices, SKU (9)",
             holds_of_all<of_priced, has_if_priced>},
        Rule{"ConsumedQuantity is there for usage that is no unused commitment, and nowhere else",
             [](const FocusRow& row) {
                 return row.is_null("ConsumedQuantity") != (row.is_usage() && !is_unused(row));
             }},
        Rule{"ConsumedUnit is null where the quantity is",
             [](const FocusRow& row) {
                 return are_null_together(row, "ConsumedQuantity", "ConsumedUnit");
             }},
        Rule{"PricingUnit is null where the quantity is",
             [](const FocusRow& row) {
                 return are_null_together(row, "PricingQuantity", "PricingUnit");
             }},
        Rule{"RegionName is null where RegionId is",
             [](const FocusRow& row) { return are_null_together(row, "RegionId", "RegionName"); }},
        Rule{"ResourceName is null where ResourceId is",
             [](const FocusRow& row) {
                 return are_null_together(row, "ResourceId", "ResourceType");
             }},
        Rule{"ResourceType is null where ResourceId is",
             [](const FocusRow& row) {
                 return !row.is_null("ResourceId") || row.is_null("ResourceName");
             }},
        Rule{"SubAccountType is null where SubAccountId is",
             [](const FocusRow& row) {
                 return are_null_together(row, "SubAccountId", "SubAccountType");
             }},
        Rule{"SubAccountName is null where SubAccountId is",
             [](const FocusRow& row) {
                 return are_null_together(row, "SubAccountId", "SubAccountName");
             }},
    };
    check_rules(rules);
}

TEST_CASE("focus: numbers, instants, identifiers and objects have their form") {
    constexpr std::array rules{
        Rule{"costs are plain decimals (4)", holds_of_all<numbers, has_number>},
        Rule{"quantities and prices are plain decimals, or null (5)",
             holds_of_all<numbers_or_null, has_null_or_number>},
        Rule{"instants are UTC to the second (4)", holds_of_all<instants, has_instant>},
        Rule{"no identifier is all digits (8)",
             holds_of_all<ids,
                          [](const FocusRow& row, const char* column) {
                              return row.is_null(column) ||
                                     row[column].find_first_not_of("0123456789.eE") !=
                                         std::string::npos;
                          }>},
        Rule{"Tags is a flat object, or null",
             [](const FocusRow& row) { return row.is_null("Tags") || has_flat_json(row, "Tags"); }},
        Rule{"SkuPriceDetails is a flat object, or null",
             [](const FocusRow& row) {
                 return row.is_null("SkuPriceDetails") || has_flat_json(row, "SkuPriceDetails");
             }},
        Rule{"the currency is a code of three letters",
             [](const FocusRow& row) { return row["BillingCurrency"] == "USD"; }},
        Rule{"a charge period ends after it begins",
             [](const FocusRow& row) { return row["ChargePeriodStart"] < row["ChargePeriodEnd"]; }},
        Rule{"a billing period begins with a month",
             [](const FocusRow& row) {
                 return row["BillingPeriodStart"].ends_with("-01T00:00:00Z") &&
                        row["BillingPeriodEnd"].ends_with("-01T00:00:00Z");
             }},
        Rule{"a charge ends in its billing period: what is used is billed when it is over",
             [](const FocusRow& row) {
                 return row["BillingPeriodStart"] < row["ChargePeriodEnd"] &&
                        row["ChargePeriodEnd"] <= row["BillingPeriodEnd"];
             }},
        Rule{"numbers of SkuPriceDetails are of one unit of what is priced",
             [](const FocusRow& row) {
                 return row["PricingUnit"] != "GPU-Hours" ||
                        nlohmann::json::parse(row["SkuPriceDetails"])["GpuCount"] == 1;
             }},
        Rule{"every charge of a pool has its tag, be it used or bought",
             [](const FocusRow& row) {
                 return row.is_null("ResourceId") ||
                        nlohmann::json::parse(row["Tags"]).contains("x_Pool");
             }},
        Rule{"every row says that it is simulated",
             [](const FocusRow& row) { return row["x_Simulated"] == "true"; }},
    };
    check_rules(rules);
}

TEST_CASE("focus: values are those that are allowed") {
    constexpr std::array rules{
        Rule{"ChargeCategory",
             [](const FocusRow& row) {
                 return is_one_of(row["ChargeCategory"], {"Usage", "Purchase", "Adjustment"});
             }},
        Rule{"ChargeFrequency",
             [](const FocusRow& row) {
                 return is_one_of(row["ChargeFrequency"], {"One-Time", "Recurring", "Usage-Based"});
             }},
        Rule{"a purchase is not usage-based",
             [](const FocusRow& row) {
                 return !row.is_purchase() || row["ChargeFrequency"] != "Usage-Based";
             }},
        Rule{"PricingCategory, or null",
             [](const FocusRow& row) {
                 return is_one_of(row["PricingCategory"],
                                  {"", "Standard", "Dynamic", "Committed", "Other"});
             }},
        Rule{"ServiceCategory",
             [](const FocusRow& row) {
                 return is_one_of(row["ServiceCategory"],
                                  {"Compute", "Storage", "Networking", "Other"});
             }},
        Rule{"ServiceSubcategory is one of its category",
             [](const FocusRow& row) {
                 return row["ServiceSubcategory"] == "Other (" + row["ServiceCategory"] + ")";
             }},
        Rule{"CapacityReservationStatus, or null",
             [](const FocusRow& row) {
                 return is_one_of(row["CapacityReservationStatus"], {"", "Used", "Unused"});
             }},
        Rule{"CommitmentDiscountStatus, or null",
             [](const FocusRow& row) {
                 return is_one_of(row["CommitmentDiscountStatus"], {"", "Used", "Unused"});
             }},
        Rule{"CommitmentDiscountCategory, or null",
             [](const FocusRow& row) {
                 return is_one_of(row["CommitmentDiscountCategory"], {"", "Usage", "Spend"});
             }},
        Rule{"how a pool was bought decides how it is priced",
             [](const FocusRow& row) {
                 const std::string& purchase = row["x_PurchaseOption"];
                 return !row.is_usage() || purchase.empty() ||
                        row["PricingCategory"] == (purchase == "on_demand" ? "Standard"
                                                   : purchase == "spot"    ? "Dynamic"
                                                   : purchase == "owned"   ? "Other"
                                                                           : "Committed");
             }},
    };
    check_rules(rules);
}

TEST_CASE("focus: costs, prices and quantities belong together") {
    constexpr std::array rules{
        Rule{"ContractedCost is quantity x ContractedUnitPrice, to the last digit",
             [](const FocusRow& row) {
                 return multiplies(row, "ContractedUnitPrice", "ContractedCost");
             }},
        Rule{"ListCost is quantity x ListUnitPrice, to the last digit",
             [](const FocusRow& row) { return multiplies(row, "ListUnitPrice", "ListCost"); }},
        Rule{"where there is no unit price the contracted cost is the billed one",
             [](const FocusRow& row) {
                 return !row.is_null("ContractedUnitPrice") ||
                        row["ContractedCost"] == row["BilledCost"];
             }},
        Rule{"without discounts the list cost is the contracted one",
             [](const FocusRow& row) { return row["ListCost"] == row["ContractedCost"]; }},
        Rule{"unit prices are not negative",
             [](const FocusRow& row) {
                 return !row["ListUnitPrice"].starts_with('-') &&
                        !row["ContractedUnitPrice"].starts_with('-');
             }},
        Rule{"what covers later usage has no effective cost",
             [](const FocusRow& row) { return !row.is_purchase() || row["EffectiveCost"] == "0"; }},
        Rule{"usage that a commitment covers is billed at nothing",
             [](const FocusRow& row) {
                 return !(row.is_usage() && is_committed(row)) || row["BilledCost"] == "0";
             }},
        Rule{"any other charge is billed as it is effective",
             [](const FocusRow& row) {
                 return is_committed(row) || row["BilledCost"] == row["EffectiveCost"];
             }},
        Rule{"the provider invoices, else nothing could be billed",
             [](const FocusRow& row) { return row["ProviderName"] == row["InvoiceIssuerName"]; }},
        Rule{"what is consumed is what is priced",
             [](const FocusRow& row) {
                 return row.is_null("ConsumedQuantity") ||
                        (row["ConsumedQuantity"] == row["PricingQuantity"] &&
                         row["ConsumedUnit"] == row["PricingUnit"]);
             }},
    };
    check_rules(rules);
}

TEST_CASE("focus: commitments and reservations") {
    constexpr std::array rules{
        Rule{"name, category, type, quantity and unit are null where the commitment is (5)",
             [](const FocusRow& row) {
                 return are_null_together(
                            row, "CommitmentDiscountId", "CommitmentDiscountCategory") &&
                        are_null_together(row, "CommitmentDiscountId", "CommitmentDiscountType") &&
                        are_null_together(
                            row, "CommitmentDiscountId", "CommitmentDiscountQuantity") &&
                        are_null_together(row, "CommitmentDiscountId", "CommitmentDiscountUnit") &&
                        (is_committed(row) || row.is_null("CommitmentDiscountName"));
             }},
        Rule{"a commitment that is used has a status, and nothing else has",
             [](const FocusRow& row) {
                 return row.is_null("CommitmentDiscountStatus") !=
                        (row.is_usage() && is_committed(row));
             }},
        Rule{"so has a reservation",
             [](const FocusRow& row) {
                 return is_reservation(row)
                            ? row["CapacityReservationStatus"] == row["CommitmentDiscountStatus"] &&
                                  !row.is_null("CapacityReservationId")
                            : row.is_null("CapacityReservationStatus") &&
                                  row.is_null("CapacityReservationId");
             }},
        Rule{"its quantity is positive",
             [](const FocusRow& row) {
                 return !is_committed(row) || row.exact("CommitmentDiscountQuantity") > 0;
             }},
        Rule{"its quantity is what is priced",
             [](const FocusRow& row) {
                 return !is_committed(row) ||
                        row["CommitmentDiscountQuantity"] == row["PricingQuantity"];
             }},
        Rule{"it is unused while no job has its GPUs",
             [](const FocusRow& row) {
                 return row.is_null("CommitmentDiscountStatus") ||
                        is_unused(row) ==
                            is_one_of(row["x_LeafGroup"], {"unavail", "idle", "other_cost"});
             }},
        Rule{"only usage is Committed, and only such as a commitment covers",
             [](const FocusRow& row) {
                 return (row["PricingCategory"] == "Committed") ==
                        (row.is_usage() && is_committed(row));
             }},
        Rule{"only commitments are bought",
             [](const FocusRow& row) { return !row.is_purchase() || is_committed(row); }},
    };
    check_rules(rules);
}

} // namespace bursar::test::focus_rules_test
