#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "models/units/int128.hpp"

#include "reports/focus/focus_line.hpp"
#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Usage: the charge for time on a leaf, to a tenant or to none.
[[nodiscard]] FocusLine usage_line(const Result& result, const ResultCell& cell);

/// The part of idle time that is charged to a tenant (1.3).
struct IdlePart {
    std::string method;                ///< of sharing: "share-idle/usage"
    std::string tenant;                ///< its title
    int128 billionths{};               ///< of all idle time
    std::optional<int128> gpu_hours{}; ///< its weight, in millionths; absent: all are equal
};

/// Usage for a part of idle time that is charged to a tenant.
[[nodiscard]] FocusLine
allocated_line(const Result& result, const ResultCell& cell, const IdlePart& part);

/// Purchase of reserved capacity. The usage that it covers is billed at 0, so that a file has every
/// dollar once as billed and once as effective cost.
[[nodiscard]] FocusLine purchase_line(const Result& result, const ResultPool& pool);

/// The difference between the rows of a cell and its printed cost in other files.
[[nodiscard]] FocusLine rounding_line(const Result& result, const ResultCell& cell);

/// A charge other than GPU time.
[[nodiscard]] FocusLine other_cost_line(const Result& result, const OtherCost& other);

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
