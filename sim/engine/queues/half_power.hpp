#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"
#include "models/units/int128.hpp"

namespace bursar { inline namespace sim {

/// 2^-x in integers, for decay by half-lives: unlike exp2, the same on every machine.
///
/// x is in units of 2^-32, the answer in units of 2^-64. The fraction of x has 8 digits of 4 bits;
/// 2^-x is the product of their table entries, shifted by the whole part of x. Entries are products
/// of the roots 2^-(1/2), 2^-(1/4), ..., each truncated to 64 bits, so that the answer is within
/// 2^-58 of the exact one.
class HalfPower {
  public:
    static constexpr unsigned fraction_bits = 32;

    constexpr HalfPower() {
        std::uint64_t root = std::uint64_t{1} << 63U; // 2^-1
        for (unsigned digit = 0; digit < num_digits; ++digit) {
            std::uint64_t roots[digit_bits]{};
            for (std::uint64_t& entry : roots)
                entry = root = root_of(root);
            for (unsigned value = 1; value < digit_values; ++value) {
                uint128 product = uint128{1} << 64U;
                for (unsigned bit = 0; bit < digit_bits; ++bit) {
                    if ((value >> (digit_bits - 1 - bit) & 1U) != 0)
                        product = product * roots[bit] >> 64U;
                }
                missing_[digit][value] = -static_cast<std::uint64_t>(product);
            }
        }
    }

    /// x: > 0, as 2^-0 does not fit.
    [[nodiscard]] BURSAR_HD constexpr std::uint64_t operator()(std::uint64_t x) const {
        uint128 product = uint128{1} << 64U;
        for (unsigned digit = 0; digit < num_digits; ++digit) {
            const std::uint64_t value =
                x >> (fraction_bits - digit_bits * (digit + 1)) & (digit_values - 1);
            product -= product * missing_[digit][value] >> 64U;
        }
        const std::uint64_t whole = x >> fraction_bits;
        return whole <= 64 ? static_cast<std::uint64_t>(product >> whole) : 0;
    }

    /// a * f, where f is in units of 2^-64; truncated.
    [[nodiscard]] BURSAR_HD static constexpr std::uint64_t times(std::uint64_t a, std::uint64_t f) {
        return static_cast<std::uint64_t>(uint128{a} * f >> 64U);
    }

  private:
    static constexpr unsigned digit_bits = 4;
    static constexpr unsigned digit_values = 1U << digit_bits;
    static constexpr unsigned num_digits = fraction_bits / digit_bits;

    /// The square root of f in units of 2^-64, truncated: the largest r with r^2 <= f * 2^64.
    static constexpr std::uint64_t root_of(std::uint64_t f) {
        const uint128 square = uint128{f} << 64U;
        std::uint64_t root = 0;
        for (int bit = 63; bit >= 0; --bit) {
            const std::uint64_t larger = root | std::uint64_t{1} << bit;
            if (uint128{larger} * larger <= square)
                root = larger;
        }
        return root;
    }

    std::uint64_t missing_[num_digits][digit_values]{}; ///< 1 - power
};

}} // namespace bursar::sim
