#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "models/units/int128.hpp"

#include "reports/focus/focus_line.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Time on a leaf: what a pool charges a tenant, or nobody, for it.
[[nodiscard]] FocusLine usage_line(const Result& result, const ResultCell& cell);

/// What of idle time is charged to a tenant (1.3).
struct IdlePart {
    std::string method;                ///< by which it is shared: "share-idle/usage"
    std::string tenant;                ///< its title
    int128 billionths{};               ///< of all idle time
    std::optional<int128> gpu_hours{}; ///< millionths, that its weight is; absent: all are alike
};

/// The same for a part of idle time that is charged to a tenant: as the usage itself, and to whom.
[[nodiscard]] FocusLine
allocated_line(const Result& result, const ResultCell& cell, const IdlePart& part);

/// What is paid for capacity that is reserved: the usage that it covers is billed at nothing, so
/// that a file has every dollar once as billed and once as effective cost.
[[nodiscard]] FocusLine purchase_line(const Result& result, const ResultPool& pool);

/// What the rows of a cell are off from what every other file prints for it.
[[nodiscard]] FocusLine rounding_line(const Result& result, const ResultCell& cell);

/// A charge that is no GPU time.
[[nodiscard]] FocusLine other_cost_line(const Result& result, const OtherCost& other);

/// Whether the time of a pool is bought before it is used.
constexpr bool is_committed(const ResultPool& pool) {
    return pool.purchase == Purchase::reserved;
}

}} // namespace bursar::reports
