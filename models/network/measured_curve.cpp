#include "models/network/measured_curve.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>

#include "models/errors/model_error.hpp"

namespace bursar { inline namespace models {
namespace {

/// NaN and infinity are no measurements either.
bool measured(double value) {
    return value > 0 && std::isfinite(value);
}

void check(std::span<const MeasuredPoint> points) {
    if (points.empty())
        throw ModelError{"curve", "has no points", "give one size and time or more"};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::string point = "point " + std::to_string(i + 1);
        if (!measured(points[i].volume.count()))
            throw ModelError{"curve", point + " has a size that is not above zero", "remove it"};
        if (!measured(points[i].time.count()))
            throw ModelError{"curve", point + " has a time that is not above zero", "remove it"};
        if (i > 0 && points[i].volume <= points[i - 1].volume)
            throw ModelError{"curve",
                             point + " is not larger than the one before it",
                             "sort the points by size and keep one time for each"};
    }
}

/// Per byte.
Seconds slope(const MeasuredPoint& low, const MeasuredPoint& high) {
    return (high.time - low.time) / (high.volume - low.volume).count();
}

} // namespace

MeasuredCurve::MeasuredCurve(std::vector<MeasuredPoint> points) : points_{std::move(points)} {
    check(points_);
}

Seconds MeasuredCurve::time(ByteVolume volume) const {
    assert(volume.count() >= 0);
    const auto above = std::upper_bound(
        points_.begin(), points_.end(), volume, [](ByteVolume sought, const MeasuredPoint& point) {
            return sought < point.volume;
        });
    if (above == points_.begin())
        return below_first(volume);
    if (above == points_.end())
        return above_last(volume);
    const MeasuredPoint& low = *(above - 1);
    return low.time + slope(low, *above) * (volume - low.volume).count();
}

Seconds MeasuredCurve::below_first(ByteVolume volume) const {
    const MeasuredPoint& first = points_.front();
    const double share = volume / first.volume;
    if (points_.size() == 1)
        return first.time;
    const Seconds rise = std::max(slope(first, points_[1]), Seconds{0});
    return std::max(first.time - rise * (first.volume - volume).count(), first.time * share);
}

Seconds MeasuredCurve::above_last(ByteVolume volume) const {
    const MeasuredPoint& last = points_.back();
    const ByteVolume beyond = volume - last.volume;
    if (points_.size() > 1) {
        const Seconds rise = slope(points_[points_.size() - 2], last);
        if (rise > Seconds{0})
            return last.time + rise * beyond.count();
    }
    return last.time * (volume / last.volume);
}

}} // namespace bursar::models
