#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/units/units.hpp"

namespace bursar { inline namespace reports {

/// A tick of an axis.
struct Tick {
    double at{};
    std::string label;
};

/// One axis of a chart: range, spacing and ticks.
struct Axis {
    std::string title; ///< what it measures and in which unit: "GPUs", "time waited"
    double min{}, max{1};
    bool is_log{};
    std::vector<Tick> ticks{};
    bool is_time{};                            ///< instants, in ms since the run's zero
    std::optional<std::int64_t> zero_utc_ms{}; ///< the date of that zero

    /// The position of a value between min (0) and max (1), clamped.
    [[nodiscard]] double share(double value) const;
};

/// From 0, or from a negative `min`, to at least `max`, in about `steps` steps of 1, 2 or 5 times a
/// power of ten.
[[nodiscard]] Axis linear_axis(std::string title, double min, double max, std::size_t steps);

/// The same from near the least value rather than from 0, for prices.
[[nodiscard]] Axis close_axis(std::string title, double min, double max, std::size_t steps);

/// Powers of ten of a plain number from the one below `min` to the one above `max`; min > 0.
[[nodiscard]] Axis log_axis(std::string title, double min, double max);

/// Durations in seconds, with ticks such as 1 s, 10 s, 1 min, 1 h, 1 d. Durations below a second
/// lie at the left end.
[[nodiscard]] Axis span_axis(std::string title, double max_s);

/// Instants in ms since the run's zero: dates in UTC where the zero has one, else hours or days
/// since the zero.
[[nodiscard]] Axis
time_axis(std::optional<std::int64_t> zero_utc_ms, Duration begin, Duration end, std::size_t steps);

/// A plain number for a tick: "0.5", "1,200", "15 k", "1.5 M".
[[nodiscard]] std::string tick_label(double value, double step);

}} // namespace bursar::reports
