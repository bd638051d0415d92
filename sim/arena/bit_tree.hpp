#pragma once

#include <bit>
#include <cstdint>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"

namespace bursar { inline namespace sim {

/// A set of numbers below a bound as bits, with a summary bit per word on each level above, 64 to
/// one. Insert, erase and "first member at or after" touch at most one word per level: 4 levels
/// for 16.7 million numbers. Memory: 1 bit per number and 1/63 of that for the summaries.
class BitTree {
  public:
    static constexpr std::uint32_t none = 0xffffffffU;

    BitTree() = default;
    BURSAR_HD BitTree(ArenaCarver& carver, std::uint32_t bound) {
        std::uint32_t words = bound;
        do {
            words = (words + 63) / 64;
            words_[num_levels_] = carver.take<std::uint64_t>(words);
            num_words_[num_levels_++] = words;
        } while (words > 1);
    }

    BURSAR_HD void clear() {
        for (unsigned level = 0; level < num_levels_; ++level) {
            for (std::uint32_t w = 0; w < num_words_[level]; ++w)
                words_[level][w] = 0;
        }
    }

    BURSAR_HD void insert(std::uint32_t number) {
        for (unsigned level = 0; level < num_levels_; ++level) {
            std::uint64_t& word = words_[level][number / 64];
            const bool was_empty = word == 0;
            word |= std::uint64_t{1} << (number % 64);
            if (!was_empty)
                return; // the summaries above already say so
            number /= 64;
        }
    }

    BURSAR_HD void erase(std::uint32_t number) {
        for (unsigned level = 0; level < num_levels_; ++level) {
            std::uint64_t& word = words_[level][number / 64];
            word &= ~(std::uint64_t{1} << (number % 64));
            if (word != 0)
                return;
            number /= 64;
        }
    }

    /// The least member >= number, or none.
    [[nodiscard]] BURSAR_HD std::uint32_t first_at_or_after(std::uint32_t number) const {
        for (unsigned level = 0; level < num_levels_; ++level) {
            const std::uint32_t word = number / 64;
            if (word >= num_words_[level])
                return none;
            const std::uint64_t rest = words_[level][word] >> (number % 64);
            if (rest != 0) {
                return descend(level, number + static_cast<std::uint32_t>(lowest_bit(rest)));
            }
            number =
                word + 1; // nothing left in this word: look for the next word that has something
        }
        return none;
    }

  private:
    [[nodiscard]] BURSAR_HD static int lowest_bit(std::uint64_t word) {
#ifdef __CUDA_ARCH__
        return __ffsll(static_cast<long long>(word)) - 1;
#else
        return std::countr_zero(word);
#endif
    }

    [[nodiscard]] BURSAR_HD std::uint32_t descend(unsigned level, std::uint32_t number) const {
        while (level-- > 0) {
            number = number * 64 + static_cast<std::uint32_t>(lowest_bit(words_[level][number]));
        }
        return number;
    }

    std::uint64_t* words_[6]{};
    std::uint32_t num_words_[6]{};
    unsigned num_levels_{};
};

}} // namespace bursar::sim
