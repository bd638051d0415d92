#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/bill/printed_bill.hpp"
#include "reports/bill/tenant_shares.hpp"
#include "reports/outputs/registry.hpp"
#include "reports/rounding/largest_remainder.hpp"
#include "reports/text/decimal.hpp"
#include "reports/text/instant.hpp"
#include "reports/text/json_writer.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Both ends of the window; without dates the run begins in 1970.
void put_window(const Result& result, JsonWriter& json) {
    InstantWriter writer{result.zero_utc_ms.value_or(0)};
    for (const auto& [key, time] :
         {std::pair{"start", result.window_begin}, std::pair{"end", result.window_end}}) {
        StringSink text;
        writer.put(text, time);
        json.string(key, text.text());
    }
}

/// The name that OpenCost has for jobs without a tenant.
constexpr std::string_view unallocated = "__unallocated__";

std::string_view opencost_name(const TenantShare& share) {
    return share.name == no_tenant_name ? unallocated : share.name;
}

/// The members of one allocation. own_usd: its cost without shared idle time; idle_usd: of that,
/// time without work; other_usd: besides it.
void put_allocation(const Result& result,
                    const TenantShare& share,
                    int128 own_usd,
                    int128 idle_usd,
                    int128 other_usd,
                    JsonWriter& json) {
    const Duration window = result.window_end - result.window_begin;
    const bool is_workload = share.printed_allocated > 0 && own_usd > 0;
    json.string("name", opencost_name(share));
    json.object("properties", [&] {
        json.string("cluster", result.run.scenario_name);
        json.string("namespace", opencost_name(share));
    });
    json.object("window", [&] { put_window(result, json); });
    put_window(result, json);
    json.micro("minutes", divide_half_up(int128{window.count()} * 1'000'000, minute.count()));
    json.micro("gpuCount", // as OpenCost has it: the mean over the window
               window > Duration{}
                   ? divide_half_up(share.printed_hours * hour.count(), window.count())
                   : int128{});
    json.micro("gpuHours", share.printed_hours);
    json.micro("gpuCost", share.printed_usd);
    json.micro("gpuCostIdle", idle_usd);
    json.micro("externalCost", other_usd);
    json.micro("totalCost", share.printed_usd + other_usd);
    json.micro_or_null(
        "totalEfficiency",
        is_workload ? std::optional{divide_half_up((own_usd - idle_usd) * 1'000'000, own_usd)}
                    : std::nullopt);
}

} // namespace

void write_opencost(const Result& result, const OutputOptions& options, TextSink& sink) {
    const PrintedBill bill = print_bill(result);
    const std::vector<TenantShare> shares = tenant_shares(result, bill, options.share_idle);
    const std::vector<TenantShare> own = tenant_shares(result, bill, ShareIdle::none);
    std::vector<int128> stalled_usd(shares.size());
    for (std::size_t i = 0; i < result.cells.size(); ++i) {
        const ResultCell& cell = result.cells[i];
        if (cell.tenant && group_of(cell.leaf) == LeafGroup::stalled)
            stalled_usd[*cell.tenant] += bill.cell_usd[i];
    }
    JsonWriter json{sink};
    json.object([&] {
        json.integer("code", 200);
        json.objects("data", std::size_t{1}, [&](std::size_t) {
            for (std::size_t i = 0; i < shares.size(); ++i) {
                const bool is_platform = shares[i].name == platform_row_name;
                const int128 other_usd = is_platform ? bill.all_other_usd() : 0;
                json.object(opencost_name(shares[i]), [&] {
                    put_allocation(
                        result, shares[i], own[i].printed_usd, stalled_usd[i], other_usd, json);
                });
            }
        });
    });
}

}} // namespace bursar::reports
