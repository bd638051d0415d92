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
/// Between two points time is a straight line over size: each interval has its own latency and
/// rate. (On the published series, with every other size held out, the error is 3.9 %; a straight
/// line in log time over log size has 4.6 %: it overestimates a link with latency between its
/// points.) Outside, the line of the outermost interval continues: below, with at least the first
/// point's time per byte; above, if that line does not rise, with the last point's. A curve of one
/// point is flat below it and proportional above.
class MeasuredCurve {
  public:
    /// points: one or more, sizes strictly growing, sizes and times > 0; otherwise a ModelError
    /// that names the point.
    explicit MeasuredCurve(std::vector<MeasuredPoint> points);

    /// volume: >= 0.
    [[nodiscard]] Seconds time(ByteVolume volume) const;

    [[nodiscard]] std::span<const MeasuredPoint> points() const { return points_; }

  private:
    [[nodiscard]] Seconds below_first(ByteVolume volume) const;
    [[nodiscard]] Seconds above_last(ByteVolume volume) const;

    std::vector<MeasuredPoint> points_;
};

/// A link fitted to one series of measurements: time = latency + wire / bandwidth, where wire is
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
/// bus_factor: it is no separate parameter.
///
/// points: as MeasuredCurve takes them, two or more. bus_factor: of the collective and group, > 0.
/// Throws ModelError as MeasuredCurve does, and for fewer than two points.
FittedLink fit_link(std::span<const MeasuredPoint> points, double bus_factor);

}} // namespace bursar::models
