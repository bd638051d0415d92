#include "reports/text/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <limits>

namespace bursar { inline namespace reports {
namespace {

constexpr std::uint64_t ten_to_18 = 1'000'000'000'000'000'000;
constexpr std::size_t max_integer = 40; ///< sign and 39 digits

constexpr uint128 magnitude(int128 value) {
    return value < 0 ? uint128{0} - static_cast<uint128>(value) : static_cast<uint128>(value);
}

char* write_unsigned(char* out, uint128 value) {
    if (value <= std::numeric_limits<std::uint64_t>::max())
        return std::to_chars(out, out + 20, static_cast<std::uint64_t>(value)).ptr;
    out = write_unsigned(out, value / ten_to_18);
    auto low = static_cast<std::uint64_t>(value % ten_to_18);
    for (char* digit = out + 17; digit >= out; --digit, low /= 10)
        *digit = static_cast<char>('0' + low % 10);
    return out + 18;
}

/// The point and up to 6 places of `fraction` / 10^6 without trailing zeros; nothing for 0.
char* write_fraction(char* out, std::uint32_t fraction) {
    if (fraction == 0)
        return out;
    *out = '.';
    out = write_two_digits(out + 1, fraction / 10'000);
    out = write_two_digits(out, fraction / 100 % 100);
    out = write_two_digits(out, fraction % 100);
    while (out[-1] == '0')
        --out;
    return out;
}

} // namespace

std::size_t write_integer(char* out, int128 value) {
    char* at = out;
    if (value < 0)
        *at++ = '-';
    return static_cast<std::size_t>(write_unsigned(at, magnitude(value)) - out);
}

std::size_t write_micro(char* out, int128 micro) {
    char* at = out;
    if (micro < 0)
        *at++ = '-';
    const uint128 all = magnitude(micro);
    std::uint32_t fraction = 0;
    if (all <= std::numeric_limits<std::uint64_t>::max()) { // 64-bit division is 10 times faster
        const auto small = static_cast<std::uint64_t>(all);
        at = std::to_chars(at, at + 20, small / 1'000'000).ptr;
        fraction = static_cast<std::uint32_t>(small % 1'000'000);
    } else {
        at = write_unsigned(at, all / 1'000'000);
        fraction = static_cast<std::uint32_t>(all % 1'000'000);
    }
    return static_cast<std::size_t>(write_fraction(at, fraction) - out);
}

std::string integer_text(int128 value) {
    std::array<char, max_integer> digits{};
    return {digits.data(), write_integer(digits.data(), value)};
}

std::size_t write_number(char* out, double value) {
    return static_cast<std::size_t>(std::to_chars(out, out + 48, value).ptr - out);
}

std::string number_text(double value) {
    std::array<char, 48> digits{};
    return {digits.data(), write_number(digits.data(), value)};
}

std::string hash_text(std::uint64_t value) {
    std::string digits(16, '0');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, value >>= 4U)
        *digit = "0123456789abcdef"[value & 0xFU];
    return digits;
}

std::string micro_text(int128 micro) {
    std::array<char, 48> digits{};
    return {digits.data(), write_micro(digits.data(), micro)};
}

std::string decimal_text(int128 scaled, unsigned places) {
    std::string text = integer_text(scaled);
    const std::size_t sign = scaled < 0 ? 1 : 0;
    if (text.size() - sign <= places)
        text.insert(sign, places + 1 - (text.size() - sign), '0');
    text.insert(text.size() - places, 1, '.');
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

std::optional<int128> parse_integer(std::string_view text) {
    const bool negative = !text.empty() && text.front() == '-';
    if (negative)
        text.remove_prefix(1);
    if (text.empty() || text.size() > 38)
        return std::nullopt;
    int128 value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return std::nullopt;
        value = value * 10 + (c - '0');
    }
    return negative ? -value : value;
}

std::string grouped_text(int128 scaled, unsigned places) {
    std::string digits = integer_text(scaled < 0 ? -scaled : scaled);
    if (digits.size() <= places)
        digits.insert(0, places + 1 - digits.size(), '0');
    const std::size_t whole = digits.size() - places;
    std::string out = scaled < 0 ? "-" : "";
    for (std::size_t i = 0; i < whole; ++i) {
        if (i > 0 && (whole - i) % 3 == 0)
            out += ',';
        out += digits[i];
    }
    if (places > 0)
        out += '.' + digits.substr(whole);
    return out;
}

}} // namespace bursar::reports
