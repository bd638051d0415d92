#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bursar { inline namespace scenarios {

/// Evenly spaced numbers as an axis writes them: `30..60:5`, `0.2..0.4:0.05 USD/gpu-h`,
/// `10 min..60 min:10 min`; all units of one are the same. Exact: whole numbers of 10^-decimals.
struct ValueRange {
    std::int64_t first{};
    std::int64_t last{};
    std::int64_t step{}; ///< 0: none was written, as in `0..16`
    int decimals{};
    std::string unit; ///< behind each number, with the blank before it; empty: none

    /// How many values: those from `first` on that are not above `last`. step: > 0.
    [[nodiscard]] std::uint64_t size() const;
    /// Value number `i` as a scenario writes it: "0.25 USD/gpu-h".
    [[nodiscard]] std::string value(std::uint64_t i) const;
};

/// Nothing where `text` does not read as a range: `fifo`, `[1..2:1]`, `2026-01-01`. What does may
/// still be empty (`5..1:1`) or have no step; the caller says what it makes of that. A range has at
/// most 18 digits in all, decimals of the finest of its numbers included.
std::optional<ValueRange> parse_value_range(std::string_view text);

}} // namespace bursar::scenarios
