#pragma once

#include <cstdint>
#include <limits>

#include "models/units/host_device.hpp"

#include "sim/arena/arena.hpp"

namespace bursar { inline namespace sim {

/// One number per place, `absent` where there is none, with the least of every 8 on the level
/// above. Setting a number and finding the first place that holds at most x touch one cache line
/// per level: 7 levels for 2 million places. Memory: 9.2 bytes per place.
class MinTree {
  public:
    static constexpr std::uint32_t none = 0xffffffffU;
    static constexpr std::int64_t absent = std::numeric_limits<std::int64_t>::max();

    MinTree() = default;
    BURSAR_HD MinTree(ArenaCarver& carver, std::uint32_t num_places) {
        std::uint32_t lines = num_places;
        do {
            lines = (lines + per_line - 1) / per_line;
            num_lines_ += lines;
        } while (lines > 1);
        bottom_lines_ = (num_places + per_line - 1) / per_line;
        lines_ = carver.take<Line>(num_lines_);
    }

    BURSAR_HD void clear() {
        for (std::uint32_t line = 0; line < num_lines_; ++line) {
            for (std::int64_t& number : lines_[line].numbers)
                number = absent;
        }
    }

    BURSAR_HD void set(std::uint32_t place, std::int64_t number) {
        Line* level = lines_;
        for (std::uint32_t lines = bottom_lines_;; lines = (lines + per_line - 1) / per_line) {
            std::int64_t& there = level[place / per_line].numbers[place % per_line];
            if (there == number)
                return; // the levels above already say so
            there = number;
            if (lines <= 1)
                return;
            place /= per_line;
            number = level[place].least();
            level += lines;
        }
    }

    [[nodiscard]] BURSAR_HD std::int64_t operator[](std::uint32_t place) const {
        return lines_[place / per_line].numbers[place % per_line];
    }

    /// The least number of all; absent if there is none.
    [[nodiscard]] BURSAR_HD std::int64_t least() const {
        return num_lines_ == 0 ? absent : lines_[num_lines_ - 1].least();
    }

    /// The first place >= `from` that holds a number <= `most`, or none. Precondition: most <
    /// absent.
    [[nodiscard]] BURSAR_HD std::uint32_t first_at_most(std::uint32_t from,
                                                        std::int64_t most) const {
        const Line* above[max_levels];
        unsigned height = 0;
        const Line* level = lines_;
        for (std::uint32_t lines = bottom_lines_;; lines = (lines + per_line - 1) / per_line) {
            const std::uint32_t line = from / per_line;
            if (line >= lines)
                return none;
            for (std::uint32_t i = from % per_line; i < per_line; ++i) {
                if (level[line].numbers[i] <= most)
                    return descend(above, height, line * per_line + i, most);
            }
            if (lines == 1)
                return none;
            from = line + 1; // the next line with such a number, if any
            above[height++] = level;
            level += lines;
        }
    }

  private:
    static constexpr std::uint32_t per_line = 8;
    static constexpr unsigned max_levels = 11; // 8^11 > 2^32

    struct alignas(64) Line {
        std::int64_t numbers[per_line];

        [[nodiscard]] BURSAR_HD std::int64_t least() const {
            // Compares in pairs, so that no comparison depends on all before it.
            const auto less = [](std::int64_t a, std::int64_t b) { return b < a ? b : a; };
            return less(less(less(numbers[0], numbers[1]), less(numbers[2], numbers[3])),
                        less(less(numbers[4], numbers[5]), less(numbers[6], numbers[7])));
        }
    };

    [[nodiscard]] BURSAR_HD static std::uint32_t
    descend(const Line* const* above, unsigned height, std::uint32_t place, std::int64_t most) {
        while (height-- > 0) {
            const Line& line = above[height][place];
            std::uint32_t i = 0;
            while (line.numbers[i] > most)
                ++i;
            place = place * per_line + i;
        }
        return place;
    }

    Line* lines_{}; ///< level after level, the widest first
    std::uint32_t bottom_lines_{};
    std::uint32_t num_lines_{};
};

}} // namespace bursar::sim
