#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bursar { inline namespace scenarios {

/// A non-negative decimal number as written, exactly: whole + fraction / 10^decimals.
struct Decimal {
    std::int64_t whole{};
    std::int64_t fraction{};
    int decimals{};

    /// `*this` times `factor` as a whole number, rounded half up; absent past int64. factor: >= 1.
    [[nodiscard]] std::optional<std::int64_t> times(std::int64_t factor) const;

    /// Nearest double.
    [[nodiscard]] double approximate() const;
};

/// Digits a Decimal may have on either side of its point.
inline constexpr int max_decimal_digits = 18;

/// Regular expression of what parse_decimal accepts.
inline constexpr std::string_view decimal_pattern = R"([0-9]{1,18}(\.[0-9]{1,18})?)";

/// Nothing if `text` is not digits with an optional fraction, or has too many digits.
std::optional<Decimal> parse_decimal(std::string_view text);

}} // namespace bursar::scenarios
