#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace bursar { inline namespace scenarios {

/// A unit that may stand behind an amount, and what one of it is: `by` over `per` of ours.
struct AmountUnit {
    std::string_view name;
    std::int64_t by{1};
    std::int64_t per{1};
};

/// A decimal number with one of `units` behind it ("2.50G"; an empty name: none), in ours, to the
/// nearest whole number, half up. Absent where `text` is no such amount, has more than 15 digits
/// before or 9 behind the point, or comes to more than 1e15.
std::optional<std::int64_t> parse_amount(std::string_view text, std::span<const AmountUnit> units);

}} // namespace bursar::scenarios
