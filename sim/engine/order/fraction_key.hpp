#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

namespace bursar { inline namespace sim {

/// Bits up to the leading one, of 1 or more.
BURSAR_HD constexpr int bit_length(uint128 number) {
    const auto upper = static_cast<std::uint64_t>(number >> 64U);
    std::uint64_t word = upper != 0 ? upper : static_cast<std::uint64_t>(number);
    int bits = upper != 0 ? 64 : 0;
#ifdef __CUDA_ARCH__
    for (int step = 32; step > 0; step /= 2) {
        if (word >> step != 0) {
            word >>= step;
            bits += step;
        }
    }
    return bits + 1;
#else
    return bits + static_cast<int>(std::bit_width(word));
#endif
}

/// part / whole as an integer in the order of the fractions: a binary floating-point number of 52
/// significant bits, truncated, with the exponent in the upper bits.
///
/// Equal fractions have equal keys (6/9 and 12/18), and the larger of two never has the smaller
/// key. Different fractions share a key only if they differ by less than one part in 2^51: never if
/// their cross products stay below that. Multiplying all wholes by a power of two changes no
/// comparison.
///
/// whole: 1 .. 2^76 - 1. part: 2^64 - 1 or less. The answer is below 2^60.
BURSAR_HD constexpr std::uint64_t fraction_key(std::uint64_t part, uint128 whole) {
    constexpr int precision = 52;
    constexpr int exponent_bias = 77; // lengths differ by 76 at most; 0 is below them all
    assert(whole > 0 && whole >> 76 == 0);
    if (part == 0)
        return 0;
    int exponent = bit_length(part) - bit_length(whole);
    const int shift = precision - exponent;
    uint128 quotient = shift >= 0 ? (uint128{part} << shift) / whole : part / (whole << -shift);
    if (quotient >> precision != 0) {
        quotient >>= 1;
        ++exponent;
    }
    return static_cast<std::uint64_t>(exponent + exponent_bias) << precision |
           static_cast<std::uint64_t>(quotient);
}

}} // namespace bursar::sim
