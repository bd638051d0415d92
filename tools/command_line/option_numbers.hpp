#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "tools/command_line/options.hpp"

/// Numbers of options and their ranges.
namespace bursar { inline namespace tools {

/// The decimal number that is all of `text`: "010", "0x10" and "+5" could be meant in two ways.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    const bool leading_zero =
        digits.size() > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9';
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (leading_zero || error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

inline bool is_in(std::int64_t number, WholeRange range) {
    return number >= range.min && number <= range.max;
}

inline bool is_in(double number, RealRange range) {
    return (range.with_min ? number >= range.min : number > range.min) && number <= range.max;
}

inline std::string shown(WholeRange range) {
    return fmt::format("whole number from {} to {}", range.min, range.max);
}

inline std::string shown(RealRange range) {
    return range.with_min ? fmt::format("number from {:g} to {:g}", range.min, range.max)
                          : fmt::format("number above {:g}, up to {:g}", range.min, range.max);
}

}} // namespace bursar::tools
