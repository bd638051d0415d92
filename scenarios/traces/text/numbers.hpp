#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

/// Exact parsers of the numbers in trace files. None rounds through floating point, none accepts
/// a sign, blanks or an exponent; each takes the whole text or nothing.
namespace bursar { inline namespace scenarios {

/// Largest time: 999,999,999,999 s, so that sums and differences stay in 64 bits.
inline constexpr std::size_t max_second_digits = 12;

inline constexpr unsigned digit_of(char c) {
    return static_cast<unsigned char>(c) - unsigned{'0'};
}

/// A whole number of at most 12 digits; zeros after a point are allowed ("8.0", as data frames
/// write a column with gaps).
inline std::optional<std::int64_t> parse_count(std::string_view text) {
    std::uint64_t value = 0;
    std::size_t i = 0;
    for (; i < text.size() && digit_of(text[i]) < 10; ++i)
        value = 10 * value + digit_of(text[i]);
    if (i == 0 || i > 12)
        return std::nullopt;
    if (i < text.size()) [[unlikely]] {
        if (text[i] != '.' || i + 1 == text.size() ||
            text.find_first_not_of('0', i + 1) != std::string_view::npos)
            return std::nullopt;
    }
    return static_cast<std::int64_t>(value);
}

/// Seconds as a decimal number ("66", "66.0", "0.0005"), in milliseconds; what is beyond the
/// millisecond is rounded half up.
inline std::optional<std::int64_t> parse_seconds(std::string_view text) {
    std::uint64_t value = 0;
    std::size_t i = 0;
    for (; i < text.size() && digit_of(text[i]) < 10; ++i)
        value = 10 * value + digit_of(text[i]);
    if (i == 0 || i > max_second_digits)
        return std::nullopt;
    value *= 1000;
    if (i == text.size())
        return static_cast<std::int64_t>(value);
    if (text[i] != '.' || i + 1 == text.size())
        return std::nullopt;
    unsigned weight = 1000; // of the digit before the one being read, in milliseconds
    for (++i; i < text.size(); ++i) {
        const unsigned digit = digit_of(text[i]);
        if (digit > 9)
            return std::nullopt;
        if (weight > 1) {
            weight /= 10;
            value += weight * digit;
        } else if (weight == 1) { // the first digit beyond the millisecond decides
            weight = 0;
            value += digit >= 5 ? 1U : 0U;
        }
    }
    return static_cast<std::int64_t>(value);
}

/// Milliseconds as a decimal number of at most 15 digits before the point; what is beyond the
/// millisecond is rounded half up.
inline std::optional<std::int64_t> parse_milliseconds(std::string_view text) {
    std::int64_t value = 0;
    std::size_t i = 0;
    for (; i < text.size() && digit_of(text[i]) < 10; ++i)
        value = i < 15 ? 10 * value + digit_of(text[i]) : value;
    if (i == 0 || i > 15)
        return std::nullopt;
    if (i == text.size())
        return value;
    if (text[i] != '.' || i + 1 == text.size() ||
        text.find_first_not_of("0123456789", i + 1) != std::string_view::npos)
        return std::nullopt;
    return value + (digit_of(text[i + 1]) >= 5 ? 1 : 0);
}

/// A unit of an amount; its size is `by` / `per` of our unit.
struct AmountUnit {
    std::string_view name;
    std::int64_t by{1};
    std::int64_t per{1};
};

/// A decimal number with one of `units` behind it ("2.50G"; an empty name: none), in our unit, to
/// the nearest whole number, half up. Absent if `text` is no such amount, has more than 15 digits
/// before or 9 after the point, or is above 1e15.
std::optional<std::int64_t> parse_amount(std::string_view text, std::span<const AmountUnit> units);

}} // namespace bursar::scenarios
