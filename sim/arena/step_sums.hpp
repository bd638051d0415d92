#pragma once

#include <cstdint>

#include "models/units/host_device.hpp"

namespace bursar { inline namespace sim {

/// What the values over a stretch of steps come to, seen from the value before it. A run is a
/// stretch of keys over which the value stays above the least one; the last run is one in which the
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

    /// Of a stretch in which a step has changed by an amount, or is new: low and high hold the
    /// values between them, the rest is not known.
    BURSAR_HD void widen(std::int64_t step) {
        low += step < 0 ? step : 0;
        high += step > 0 ? step : 0;
        low = step < low ? step : low; // a new step that is the first of all
        high = step > high ? step : high;
    }
    /// A stretch follows that is seen from `value`.
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
    /// A step follows after which the value is `value`.
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

/// A stretch of steps as a walk sees it.
struct StepStretch {
    std::int64_t before{}; ///< the value before it
    std::int64_t after{};  ///< and at its end
    unsigned height{};     ///< in the tree: 1: a few steps, and ten times as many for each more
    const StepSums& sums;  ///< of values less `before`
};

}} // namespace bursar::sim
