#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/int128.hpp"

#include "reports/focus/charge_periods.hpp"
#include "reports/outputs/options.hpp"
#include "reports/result/result.hpp"
#include "reports/text/instant.hpp"
#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// The columns of focus.csv in their order: mandatory columns of FOCUS, optional ones, those
/// that 1.3 added, and bursar's own, whose names begin with x_.
inline constexpr std::string_view focus_header =
    "BilledCost,BillingAccountId,BillingAccountName,BillingCurrency,BillingPeriodStart,"
    "BillingPeriodEnd,ChargeCategory,ChargeClass,ChargeDescription,ChargePeriodStart,"
    "ChargePeriodEnd,ContractedCost,EffectiveCost,InvoiceIssuerName,ListCost,PricingQuantity,"
    "PricingUnit,ProviderName,PublisherName,ServiceCategory,ServiceName,AvailabilityZone,"
    "ChargeFrequency,ServiceSubcategory,InvoiceId,RegionId,RegionName,ResourceId,ResourceName,"
    "ResourceType,SkuId,SkuMeter,SkuPriceId,SkuPriceDetails,SubAccountId,SubAccountName,"
    "SubAccountType,BillingAccountType,Tags,ConsumedQuantity,ConsumedUnit,ListUnitPrice,"
    "ContractedUnitPrice,PricingCategory,CapacityReservationId,CapacityReservationStatus,"
    "CommitmentDiscountCategory,CommitmentDiscountId,CommitmentDiscountName,"
    "CommitmentDiscountQuantity,CommitmentDiscountStatus,CommitmentDiscountType,"
    "CommitmentDiscountUnit,AllocatedMethodId,AllocatedMethodDetails,AllocatedResourceId,"
    "AllocatedResourceName,AllocatedTags,ContractApplied,ServiceProviderName,HostProviderName,"
    "x_Leaf,x_LeafGroup,x_JobId,x_Attempt,x_GpuType,x_PurchaseOption,x_Simulated,x_ScenarioHash";

inline constexpr std::array focus_columns = [] {
    std::array<std::string_view, 69> names{};
    std::string_view rest = focus_header;
    for (std::string_view& name : names) {
        name = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    return names;
}();

/// A column by its name; an unknown name does not compile.
struct FocusColumn {
    std::size_t place{};

    // NOLINTNEXTLINE(google-explicit-constructor): columns are named by literals
    consteval FocusColumn(const char* name) {
        while (focus_columns.at(place) != name)
            ++place;
    }
};

/// The columns of 1.3 that 1.2 does not have: [first, end).
inline constexpr std::size_t first_of_1_3 = FocusColumn{"AllocatedMethodId"}.place;
inline constexpr std::size_t end_of_1_3 = FocusColumn{"x_Leaf"}.place;

/// The figures in which rows of one kind differ.
enum class FocusFigure : std::uint8_t {
    from,      ///< of the charge period
    to,        ///< its end, exclusive
    month,     ///< begin of the billing period: the month of the bill in which the charge lies
    month_end, ///< begin of the next month
    quantity,
    price,
    cost
};

/// The figures of one row.
struct FocusFigures : ChargePeriod {
    int128 quantity{}; ///< millionths
    int128 price{};    ///< of one, in nano-dollars
    int128 cost{};     ///< 10^-15 dollars
};

/// The product of a quantity and a price, exactly.
constexpr int128 focus_cost(int128 quantity, int128 price) {
    return quantity * price;
}
inline constexpr int128 focus_cost_per_micro_usd = 1'000'000'000;

/// The columns of rows of one kind: each has a text or one of the figures. A column that is not set
/// is empty, which means null.
class FocusLine {
  public:
    /// text: UTF-8, of any content; "": null.
    FocusLine& text(FocusColumn column, std::string_view text);
    FocusLine& figure(FocusColumn column, FocusFigure figure);

  private:
    friend class FocusTemplate;
    struct Field {
        std::string text; ///< as in the file
        std::optional<FocusFigure> figure;
    };
    std::array<Field, focus_columns.size()> fields_;
};

/// A line in one version of FOCUS: its text, and the places of figures in it.
class FocusTemplate {
  public:
    FocusTemplate(const FocusLine& line, FocusVersion version);

  private:
    friend class FocusWriter;
    struct Gap {
        std::size_t at{}; ///< in the text
        FocusFigure figure{};
    };
    std::string text_;
    std::vector<Gap> gaps_;
};

/// Whether a version has a column.
constexpr bool has_column(FocusVersion version, std::size_t column) {
    return version != FocusVersion::v1_2 || column < first_of_1_3 || column >= end_of_1_3;
}

/// Writes rows.
class FocusWriter {
  public:
    explicit FocusWriter(TextSink& sink) : sink_{sink} {}

    void put_header(FocusVersion version);
    void put(const FocusTemplate& row, const FocusFigures& figures);

  private:
    void put(FocusFigure figure, const FocusFigures& figures);

    TextSink& sink_;
    InstantWriter instants_{0}, months_{0}, next_months_{0}; ///< each knows its last day
};

// The lines of each kind of charge: focus_lines.cpp

/// Usage: the charge for time on a leaf, to a tenant or to none.
[[nodiscard]] FocusLine usage_line(const Result& result, const ResultCell& cell);

/// The part of idle time that is charged to a tenant.
struct IdlePart {
    std::string method;                ///< of sharing: "share-idle/usage"
    std::string tenant;                ///< its title
    int128 billionths{};               ///< of all idle time
    std::optional<int128> gpu_hours{}; ///< its weight, in millionths; absent: all are equal
};

/// Makes a line of idle time one of the part that a tenant is charged: the tenant is in the columns
/// of 1.3 for split charges, and in version 1.2, which has none, that of any usage.
[[nodiscard]] FocusLine
allocate(FocusLine line, const ResultPool& pool, const IdlePart& part, FocusVersion version);

/// Purchase of reserved capacity. The usage that it covers is billed at 0, so that a file has every
/// dollar once as billed and once as effective cost.
[[nodiscard]] FocusLine purchase_line(const Result& result, const ResultPool& pool);

/// The difference between the rows of a cell and its printed cost in other files.
[[nodiscard]] FocusLine rounding_line(const Result& result, const ResultCell& cell);

/// A charge other than GPU time. Of a commitment to spend, what is not used of it, as usage.
[[nodiscard]] FocusLine other_cost_line(const Result& result, const OtherCost& other);

/// Whether it is the unused part of a commitment to spend.
[[nodiscard]] bool is_unused_commitment(const OtherCost& other);

/// Purchase of the unused part of a commitment to spend.
[[nodiscard]] FocusLine commitment_purchase_line(const Result& result, const OtherCost& other);

/// Whether the time of a pool is bought before it is used.
constexpr bool is_committed(const ResultPool& pool) {
    return pool.purchase == Purchase::reserved;
}

/// A name that is safe in a spreadsheet. Control characters and marks of writing direction become
/// visible escapes. A name that begins like a formula, or with an apostrophe, gets an apostrophe in
/// front.
[[nodiscard]] std::string harmless_text(std::string_view name);

/// An identifier from `kind` and a name: "tenant/a%20b". Letters, digits and -._~ stay as they are,
/// other bytes are percent-encoded. It is unique to the name, and no number.
[[nodiscard]] std::string focus_id(std::string_view kind, std::string_view name);

}} // namespace bursar::reports
