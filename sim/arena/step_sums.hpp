#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// Extremes and longest run of the values over a stretch of steps, relative to the value before it.
/// A run is a stretch of keys over which the value stays above the least one; in the last run the
/// steps end.
struct StepSums {
    static constexpr std::uint64_t no_key = ~std::uint64_t{0};
    static constexpr std::int64_t any = std::int64_t{1} << 60U; ///< no value is greater

    std::int64_t low{};         ///< the least value at a step
    std::int64_t high{};        ///< the greatest
    std::uint64_t first{};      ///< key of the first step
    std::uint64_t end{};        ///< of the last one
    std::uint64_t first_low{};  ///< of the first at which the value is least
    std::uint64_t longest{};    ///< run, the last one up to the last step
    std::uint64_t last{no_key}; ///< where the last run begins; no_key: there is none

    /// After a step of the stretch has changed by `step`, or is new: low and high are bounds, the
    /// rest is unknown.
    BURSAR_HD void widen(std::int64_t step) {
        low += step < 0 ? step : 0;
        high += step > 0 ? step : 0;
        low = step < low ? step : low; // a new step that is the first of all
        high = step > high ? step : high;
    }
    /// Appends a stretch that begins at `value`.
    BURSAR_HD void append(std::int64_t value, const StepSums& more) {
        const std::int64_t more_low = value + more.low;
        high = value + more.high > high ? value + more.high : high;
        end = more.end;
        std::uint64_t begin = last == no_key ? more.first : last;
        if (more_low > low) {
            last = begin;
            add_run(begin, more.end);
            return;
        }
        if (more_low < low) {
            low = more_low;
            begin = first;
            first_low = more.first_low;
            longest = 0;
        }
        add_run(begin, more.first_low);
        longest = more.longest > longest ? more.longest : longest;
        last = more.last;
    }
    /// Appends a step after which the value is `value`.
    BURSAR_HD void append(std::uint64_t key, std::int64_t value) {
        append(0, {value, value, key, key, key, 0});
    }

  private:
    BURSAR_HD void add_run(std::uint64_t from, std::uint64_t to) {
        longest = to - from > longest ? to - from : longest;
    }
};

/// What a walk does with a stretch of steps.
enum class StepLook {
    into,   ///< visits its steps
    past,   ///< goes on behind it
    enough, ///< ends
};

/// A stretch of steps in a walk.
struct StepStretch {
    std::int64_t before{}; ///< the value before it
    std::int64_t after{};  ///< and at its end
    unsigned height{};     ///< in the tree; 1: a few steps, ten times as many with each level
    const StepSums& sums;  ///< relative to `before`
};

}} // namespace bursar::sim
