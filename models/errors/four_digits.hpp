#pragma once

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>

namespace bursar { inline namespace models {

/// `number` with four significant digits, for the words of an error: "9.05e+09", "2.141".
inline std::string four_digits(double number) {
    std::array<char, 32> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.4g", number);
    return {text.data(), static_cast<std::size_t>(length)};
}

}} // namespace bursar::models
