#include "scenarios/reader/decimal.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>

#include "models/units/int128.hpp"

namespace bursar { inline namespace scenarios {
namespace {

std::int64_t power_of_ten(int exponent) {
    std::int64_t power = 1;
    for (int i = 0; i < exponent; ++i)
        power *= 10;
    return power;
}

std::optional<std::int64_t> parse_digits(std::string_view digits) {
    const bool all_digits =
        std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    if (digits.empty() || digits.size() > max_decimal_digits || !all_digits)
        return std::nullopt;
    std::int64_t value{};
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

} // namespace

std::optional<std::int64_t> Decimal::times(std::int64_t factor) const {
    assert(factor >= 1);
    const std::int64_t scale = power_of_ten(decimals);
    // Both products stay below 1e18 * 9.2e18 = 9.2e36; int128 ends at 1.7e38.
    const int128 part = (int128{fraction} * factor * 2 + scale) / (int128{scale} * 2);
    const int128 product = int128{whole} * factor + part;
    if (product > std::numeric_limits<std::int64_t>::max())
        return std::nullopt;
    return static_cast<std::int64_t>(product);
}

double Decimal::approximate() const {
    return static_cast<double>(whole) +
           static_cast<double>(fraction) / static_cast<double>(power_of_ten(decimals));
}

std::optional<Decimal> parse_decimal(std::string_view text) {
    const std::size_t point = text.find('.');
    const auto whole = parse_digits(text.substr(0, point));
    if (!whole)
        return std::nullopt;
    if (point == std::string_view::npos)
        return Decimal{*whole, 0, 0};
    const std::string_view digits = text.substr(point + 1);
    const auto fraction = parse_digits(digits);
    if (!fraction)
        return std::nullopt;
    return Decimal{*whole, *fraction, static_cast<int>(digits.size())};
}

}} // namespace bursar::scenarios
