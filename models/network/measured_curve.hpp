#pragma once

#include <span>
#include <vector>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// One measured collective: the buffer (nccl-tests' size) and how long it took.
struct MeasuredPoint {
    ByteVolume volume;
    Seconds time;

    friend bool operator==(const MeasuredPoint&, const MeasuredPoint&) = default;
};

/// Times of one collective at every size, from measured ones; exact at its points.
///
/// Between two points time is a straight line over size: each interval is a link with a latency and
/// a rate of its own. (On the published series, every other size held back, this errs by 3.9 %; a
/// straight line in log time over log size by 4.6 %, since it overrates what a link with latency
/// takes between its points.) Outside, the line of the outermost interval goes on: below, at no
/// less than the first point's time per byte; above, where that line does not rise, at the last
/// point's. A curve of one point is flat below it and proportional above.
class MeasuredCurve {
  public:
    /// points: one or more, sizes strictly growing, sizes and times > 0; otherwise ModelError that
    /// says which point is at fault.
    explicit MeasuredCurve(std::vector<MeasuredPoint> points);

    /// volume: >= 0.
    [[nodiscard]] Seconds time(ByteVolume volume) const;

    [[nodiscard]] std::span<const MeasuredPoint> points() const { return points_; }

  private:
    [[nodiscard]] Seconds below_first(ByteVolume volume) const;
    [[nodiscard]] Seconds above_last(ByteVolume volume) const;

    std::vector<MeasuredPoint> points_;
};

/// A link as one series of measurements shows it: time = latency + wire / bandwidth, where wire is
/// the buffer times the bus factor of its collective.
struct FittedLink {
    Seconds latency{};       ///< of the whole collective, >= 0
    ByteRate bandwidth{};    ///< effective, one direction, > 0
    double mean_log_error{}; ///< mean |ln(fitted / measured)| over the points

    [[nodiscard]] Seconds time(ByteVolume volume, double bus_factor) const {
        return latency + volume * bus_factor / bandwidth;
    }
};

/// The latency and bandwidth of least mean absolute log error.
///
/// The half-performance size (where half the bandwidth is reached) is latency * bandwidth /
/// bus_factor: in this form it is no third parameter.
///
/// points: as MeasuredCurve takes them, two or more. bus_factor: of the collective and group, > 0.
/// Throws ModelError as MeasuredCurve does, and for fewer than two points.
FittedLink fit_link(std::span<const MeasuredPoint> points, double bus_factor);

}} // namespace bursar::models
