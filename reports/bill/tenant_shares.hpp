#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/units/units.hpp"

#include "reports/bill/printed_bill.hpp"
#include "reports/outputs/options.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

inline constexpr std::string_view idle_row_name = "__idle__";
inline constexpr std::string_view platform_row_name = "__platform__";
inline constexpr std::string_view no_tenant_name = "__none__"; ///< jobs whose tenant is ""

/// A tenant as every output but result.json names it. Names that begin with "__" are bursar's own:
/// a tenant of the trace that has such a name gets a further "_" in front, one without a name is
/// `__none__`. Different tenants have different titles, none of them that of a special row.
[[nodiscard]] std::string tenant_title(std::string_view name);

/// What one tenant is charged for: its own allocated time and its share of idle time.
struct TenantShare {
    std::string name;           ///< its title
    SlotTime allocated{};       ///< overhead, stalled, lost and productive time of its jobs
    SlotTime held{};            ///< charged: allocated and shared idle time
    Money cost{};               ///< of `held`
    int128 printed_allocated{}; ///< GPU-hours of `allocated`, millionths: a sum of printed cells
    int128 printed_hours{};     ///< millionths, a sum of printed cells and of parts of printed idle
    int128 printed_usd{};
};

/// What idle time is shared in proportion to: 1 (even), allocated time (usage), or 0 (none, and
/// quota, as there are none yet). tenants: the rows that are tenants.
[[nodiscard]] std::vector<int128> idle_weights(std::span<const TenantShare> tenants,
                                               ShareIdle mode);

/// One row per tenant in plan order, then __idle__ (idle time that no tenant is charged for) and
/// __platform__ (unavailable time). The rows add up to what was paid in every mode: exactly in the
/// numerators, and in the printed figures. Idle time is shared over all pools together, by
/// idle_weights; what they do not share stays in __idle__.
[[nodiscard]] std::vector<TenantShare>
tenant_shares(const Result& result, const PrintedBill& printed, ShareIdle mode);

}} // namespace bursar::reports
