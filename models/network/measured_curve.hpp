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

}} // namespace bursar::models
