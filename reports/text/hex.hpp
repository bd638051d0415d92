#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string>

namespace bursar {

/// A 64-bit hash as 16 hexadecimal digits.
[[nodiscard]] inline std::string hex_text(std::uint64_t value) {
    std::array<char, 16> digits{};
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
    const auto size = static_cast<std::size_t>(end - digits.data());
    return std::string(digits.size() - size, '0').append(digits.data(), size);
}

} // namespace bursar
