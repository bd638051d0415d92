#pragma once

#include <cstddef>

#include "reports/focus/focus_line.hpp"
#include "reports/result/result.hpp"

namespace bursar::inline reports {

/// Time on a leaf: what a pool charges a tenant, or nobody, for it.
[[nodiscard]] FocusLine usage_line(const Result& result, const ResultCell& cell);

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

} // namespace bursar::inline reports
