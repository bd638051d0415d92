#pragma once

#include <array>
#include <charconv>
#include <string>

namespace bursar { inline namespace models {

/// `number` for the words of an error or a warning; `digits`: significant ones in the format
/// general, decimals in the format fixed, at most 20. Texts are those of printf in the C locale.
inline std::string number_text(double number, std::chars_format format, int digits) {
    std::array<char, 352> buffer{}; // the largest number has 309 digits before its point
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format, digits);
    return {buffer.data(), end.ptr};
}

/// With four significant digits: "9.05e+09", "2.141".
inline std::string four_digits(double number) {
    return number_text(number, std::chars_format::general, 4);
}

/// With one decimal: "1250.0".
inline std::string one_decimal(double number) {
    return number_text(number, std::chars_format::fixed, 1);
}

}} // namespace bursar::models
