#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/units/int128.hpp"

namespace bursar { inline namespace reports {

/// Writes `value` in decimal at `out`, which has room for 40 characters; returns how many it took.
std::size_t write_integer(char* out, int128 value);

/// "00" to "99", one after the other.
inline constexpr auto digit_pairs = [] {
    std::array<char, 200> pairs{};
    for (std::size_t i = 0; i < 100; ++i) {
        pairs[2 * i] = static_cast<char>('0' + i / 10);
        pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
    }
    return pairs;
}();

/// Writes two digits, e.g. of a month, at `out` and returns their end; value in 0..99.
inline char* write_two_digits(char* out, unsigned value) {
    out[0] = digit_pairs[std::size_t{2} * value];
    out[1] = digit_pairs[std::size_t{2} * value + 1];
    return out + 2;
}

/// Writes `micro` / 10^6 with up to 6 places and no trailing zeros at `out` (room for 48).
std::size_t write_micro(char* out, int128 micro);

/// `micro` / 10^6 with up to 6 places and no trailing zeros.
[[nodiscard]] std::string micro_text(int128 micro);

/// `scaled` / 10^places, places > 0, without trailing zeros.
[[nodiscard]] std::string decimal_text(int128 scaled, unsigned places);

/// Writes the shortest decimal that reads back as `value` at `out` (room for 48); finite.
std::size_t write_number(char* out, double value);

/// The same as text.
[[nodiscard]] std::string number_text(double value);

/// 16 hexadecimal digits.
[[nodiscard]] std::string hash_text(std::uint64_t value);

/// `value` in decimal.
[[nodiscard]] std::string integer_text(int128 value);

/// The number that `text` is, if it is one (an optional sign and digits only) of 38 digits at most.
[[nodiscard]] std::optional<int128> parse_integer(std::string_view text);

/// `scaled` / 10^places with exactly `places` places and commas between thousands: "1,204.10".
/// For people; CSV and JSON never group digits.
[[nodiscard]] std::string grouped_text(int128 scaled, unsigned places);

/// divide_half_up by integers of one size.
template <class Integer>
constexpr Integer divide_half_up_as(Integer a, Integer b) {
    const Integer quotient = a / b;
    const Integer remainder = a % b;
    if (remainder >= 0)
        return remainder >= b - remainder ? quotient + 1 : quotient;
    return -remainder >= b + remainder ? quotient - 1 : quotient;
}

/// a / b rounded half up (half away from zero below zero); b > 0.
constexpr int128 divide_half_up(int128 a, int128 b) {
    const auto small_a = static_cast<std::int64_t>(a);
    const auto small_b = static_cast<std::int64_t>(b);
    if (small_a == a && small_b == b) // 64-bit division is 10 times faster
        return divide_half_up_as(small_a, small_b);
    return divide_half_up_as(a, b);
}

}} // namespace bursar::reports
