#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "reports/bill/tenant_shares.hpp"
#include "reports/focus/focus_line.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::string_view provider = "bursar";
constexpr std::string_view gpu_hours = "GPU-Hours";
constexpr std::array<std::string_view, 6> leaf_group_keys{
    "unavail", "idle", "over", "stall", "lost", "prod"};

std::string json_string(std::string_view text) {
    StringSink sink;
    put_json_string(sink, terminal_text(text));
    return sink.text();
}

std::string_view purchase_key(const ResultPool& pool) {
    return purchase_names[static_cast<std::size_t>(pool.purchase)];
}

/// The pricing category of usage.
std::string_view pricing_of(Purchase purchase) {
    switch (purchase) {
    case Purchase::on_demand:
        return "Standard";
    case Purchase::spot:
        return "Dynamic";
    case Purchase::reserved:
        return "Committed";
    case Purchase::owned:
        break;
    }
    return "Other";
}

/// The columns of every row.
FocusLine run_line(const Result& result) {
    FocusLine line;
    const std::string account = "simulation-" + hash_text(result.run.scenario_hash);
    const std::string& name = result.run.scenario_name;
    line.text("BillingAccountId", account)
        .text("BillingAccountName", name.empty() ? account : harmless_text(name))
        .text("BillingAccountType", "Simulation")
        .text("BillingCurrency", "USD")
        .figure("BillingPeriodStart", FocusFigure::month)
        .figure("BillingPeriodEnd", FocusFigure::month_end)
        .figure("ChargePeriodStart", FocusFigure::from)
        .figure("ChargePeriodEnd", FocusFigure::to)
        .figure("BilledCost", FocusFigure::cost)
        .figure("ContractedCost", FocusFigure::cost)
        .figure("EffectiveCost", FocusFigure::cost)
        .figure("ListCost", FocusFigure::cost)
        .text("InvoiceIssuerName", provider)
        .text("ProviderName", provider)
        .text("PublisherName", provider)
        .text("ServiceProviderName", provider)
        .text("HostProviderName", provider)
        .text("x_Simulated", "true")
        .text("x_ScenarioHash", "0x" + hash_text(result.run.scenario_hash));
    return line;
}

/// Sets quantity and unit price.
void put_price(FocusLine& line, std::string_view unit, std::string_view category) {
    line.figure("PricingQuantity", FocusFigure::quantity)
        .text("PricingUnit", unit)
        .text("PricingCategory", category)
        .figure("ListUnitPrice", FocusFigure::price)
        .figure("ContractedUnitPrice", FocusFigure::price);
}

void put_consumed(FocusLine& line, std::string_view unit) {
    line.figure("ConsumedQuantity", FocusFigure::quantity).text("ConsumedUnit", unit);
}

FocusLine pool_line(const Result& result, const ResultPool& pool) {
    FocusLine line = run_line(result);
    const std::string gpu = harmless_text(pool.gpu);
    line.text("ServiceCategory", "Compute")
        .text("ServiceSubcategory", "Other (Compute)")
        .text("ServiceName", "GPU Cluster")
        .text("ResourceId", focus_id("pool", pool.name))
        .text("ResourceName", harmless_text(pool.name))
        .text("ResourceType", "GPU Pool")
        .text("x_GpuType", gpu)
        .text("x_PurchaseOption", purchase_key(pool));
    if (!pool.region.empty())
        line.text("RegionId", harmless_text(pool.region))
            .text("RegionName", harmless_text(pool.region));
    return line;
}

/// Sets the SKU: a GPU-hour with the purchase type of the pool.
void put_sku(FocusLine& line, const ResultPool& pool) {
    line.text("SkuId", focus_id("gpu", pool.gpu) + "/" + std::string{purchase_key(pool)})
        .text("SkuMeter", "GPU Time")
        .text("SkuPriceId", focus_id("price", pool.name) + "/" + std::string{purchase_key(pool)})
        .text("SkuPriceDetails", // of one GPU-hour, whatever node the GPU is in
              fmt::format("{{\"GpuCount\":1,\"x_GpuType\":{}}}", json_string(pool.gpu)));
}

void put_commitment(FocusLine& line, const ResultPool& pool) {
    const std::string id = focus_id("reservation", pool.name);
    line.text("CapacityReservationId", id)
        .text("CommitmentDiscountId", id)
        .text("CommitmentDiscountName", harmless_text(pool.name))
        .text("CommitmentDiscountCategory", "Usage")
        .text("CommitmentDiscountType", "Reserved Capacity")
        .text("CommitmentDiscountUnit", gpu_hours)
        .figure("CommitmentDiscountQuantity", FocusFigure::quantity);
}

/// tenant: its title.
void put_tenant(FocusLine& line, const ResultPool& pool, const std::string& tenant) {
    line.text("SubAccountId", focus_id("tenant", tenant))
        .text("SubAccountName", harmless_text(tenant))
        .text("SubAccountType", "Tenant")
        .text("Tags",
              fmt::format("{{\"x_Pool\":{},\"x_Tenant\":{}}}",
                          json_string(pool.name),
                          json_string(tenant)));
}

/// Time of a pool on a leaf, with its tenant.
FocusLine cell_line(const Result& result, const ResultCell& cell) {
    const ResultPool& pool = result.pools[cell.pool];
    FocusLine line = pool_line(result, pool);
    line.text("Tags", "{\"x_Pool\":" + json_string(pool.name) + "}");
    if (cell.tenant)
        put_tenant(line, pool, tenant_title(result.tenants[*cell.tenant]));
    line.text("x_Leaf", name_of(cell.leaf))
        .text("x_LeafGroup", leaf_group_keys[static_cast<std::size_t>(group_of(cell.leaf))]);
    return line;
}

constexpr std::string_view unused_commitment = "unused commitment ";

struct OtherService {
    std::string_view cost; ///< how its name begins; "": any other
    std::string_view category, subcategory, name;
};
constexpr std::array other_services{
    OtherService{"storage", "Storage", "Other (Storage)", "Checkpoint Storage"},
    OtherService{"egress", "Networking", "Other (Networking)", "Data Transfer"},
    OtherService{unused_commitment, "Compute", "Other (Compute)", "Spend Commitment"},
    OtherService{"", "Other", "Other (Other)", "Other Cost"}};

const OtherService& service_of(const OtherCost& other) {
    const OtherService* service = other_services.data();
    while (!other.name.starts_with(service->cost))
        ++service;
    return *service;
}

/// Beginnings that spreadsheets read as a formula, with their full-width forms.
constexpr std::array<std::string_view, 9> risky_begins{
    "=", "+", "-", "@", "'", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

} // namespace

FocusLine usage_line(const Result& result, const ResultCell& cell) {
    const ResultPool& pool = result.pools[cell.pool];
    FocusLine line = cell_line(result, cell);
    put_sku(line, pool);
    put_price(line, gpu_hours, pricing_of(pool.purchase));
    line.text("ChargeCategory", "Usage")
        .text("ChargeFrequency", "Usage-Based")
        .text("ChargeDescription",
              fmt::format("{} GPU time: {}",
                          purchase_titles[static_cast<std::size_t>(pool.purchase)],
                          name_of(cell.leaf)));
    const bool is_unused = group_of(cell.leaf) <= LeafGroup::idle;
    if (is_committed(pool)) {
        put_commitment(line, pool);
        const std::string_view status = is_unused ? "Unused" : "Used";
        line.text("CapacityReservationStatus", status)
            .text("CommitmentDiscountStatus", status)
            .text("BilledCost", "0");
    }
    if (!is_committed(pool) || !is_unused)
        put_consumed(line, gpu_hours);
    return line;
}

FocusLine
allocate(FocusLine line, const ResultPool& pool, const IdlePart& part, FocusVersion version) {
    if (version == FocusVersion::v1_2) {
        put_tenant(line, pool, part.tenant);
        return line;
    }
    const std::string usage = part.gpu_hours
                                  ? fmt::format(",\"UsageUnit\":\"GPU-Hours\",\"UsageQuantity\":{}",
                                                micro_text(*part.gpu_hours))
                                  : "";
    line.text("AllocatedMethodId", part.method)
        .text("AllocatedMethodDetails",
              fmt::format("{{\"Elements\":[{{\"AllocatedRatio\":{}{}}}]}}",
                          decimal_text(part.billionths, 9),
                          usage))
        .text("AllocatedResourceId", focus_id("tenant", part.tenant))
        .text("AllocatedResourceName", harmless_text(part.tenant))
        .text("AllocatedTags", "{\"x_Tenant\":" + json_string(part.tenant) + "}");
    return line;
}

FocusLine purchase_line(const Result& result, const ResultPool& pool) {
    FocusLine line = pool_line(result, pool);
    put_sku(line, pool);
    put_price(line, gpu_hours, "Standard");
    put_commitment(line, pool);
    line.text("Tags", "{\"x_Pool\":" + json_string(pool.name) + "}")
        .text("ChargeCategory", "Purchase")
        .text("ChargeFrequency", "Recurring")
        .text("ChargeDescription", "reserved capacity")
        .text("EffectiveCost", "0");
    return line;
}

FocusLine rounding_line(const Result& result, const ResultCell& cell) {
    FocusLine line = cell_line(result, cell);
    line.text("ChargeCategory", "Adjustment")
        .text("ChargeFrequency", "One-Time")
        .text("ChargeDescription",
              fmt::format("rounding: what the rows of {} are off from its printed cost",
                          name_of(cell.leaf)));
    return line;
}

bool is_unused_commitment(const OtherCost& other) {
    return other.name.starts_with(unused_commitment);
}

FocusLine commitment_purchase_line(const Result& result, const OtherCost& other) {
    FocusLine line = other_cost_line(result, other);
    line.figure("BilledCost", FocusFigure::cost)
        .text("EffectiveCost", "0")
        .text("PricingCategory", "Standard")
        .text("CommitmentDiscountStatus", "")
        .text("ChargeCategory", "Purchase")
        .text("ChargeFrequency", "Recurring");
    return line;
}

FocusLine other_cost_line(const Result& result, const OtherCost& other) {
    const OtherService& service = service_of(other);
    FocusLine line = run_line(result);
    if (is_unused_commitment(other)) {
        const std::string name = other.name.substr(unused_commitment.size());
        put_price(line, "USD", "Committed");
        line.text("BilledCost", "0")
            .text("CommitmentDiscountId", focus_id("commitment", name))
            .text("CommitmentDiscountName", harmless_text(name))
            .text("CommitmentDiscountCategory", "Spend")
            .text("CommitmentDiscountType", "Spend Commitment")
            .text("CommitmentDiscountUnit", "USD")
            .text("CommitmentDiscountStatus", "Unused")
            .figure("CommitmentDiscountQuantity", FocusFigure::quantity);
    } else {
        put_price(line, "Runs", "Standard");
        put_consumed(line, "Runs");
    }
    line.text("ChargeCategory", "Usage")
        .text("ChargeFrequency", "Usage-Based")
        .text("ChargeDescription", other.name.empty() ? service.name : harmless_text(other.name))
        .text("ServiceCategory", service.category)
        .text("ServiceSubcategory", service.subcategory)
        .text("ServiceName", service.name)
        .text("SkuId", focus_id("other", other.name))
        .text("SkuMeter", service.name)
        .text("SkuPriceId", focus_id("other", other.name))
        .text("SkuPriceDetails", "{}")
        .text("Tags", "{}")
        .text("x_LeafGroup", "other_cost");
    return line;
}

std::string harmless_text(std::string_view name) {
    std::string text = terminal_text(name);
    const bool is_risky = std::ranges::any_of(
        risky_begins, [&](std::string_view begin) { return text.starts_with(begin); });
    return is_risky ? "'" + text : text;
}

std::string focus_id(std::string_view kind, std::string_view name) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string id{kind};
    id += '/';
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (is_plain(c))
            id += c;
        else
            (((id += '%') += digits[byte >> 4U]) += digits[byte & 0xFU]);
    }
    return id;
}

}} // namespace bursar::reports
