#include "models/network/measured_curve.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <string>
#include <vector>

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

namespace {

double
mean_log_error(const FittedLink& link, std::span<const MeasuredPoint> points, double bus_factor) {
    double sum = 0;
    for (const MeasuredPoint& point : points)
        sum += std::abs(std::log(link.time(point.volume, bus_factor) / point.time));
    return sum / static_cast<double>(points.size());
}

/// The minimum of `error` between `low` and `high`, both > 0, in the logarithm of its argument:
/// a grid, then ever finer grids around its best point. Absolute log errors have kinks and more
/// than one valley, so that a bracketing search alone may stop short.
template <class Error>
double argmin(double low, double high, Error error) {
    constexpr int points = 8;
    constexpr int refinements = 9;
    double centre = std::log(low * high) / 2;
    double half_width = std::log(high / low) / 2;
    for (int round = 0; round < refinements; ++round) {
        double best = centre;
        double least = error(std::exp(centre));
        for (int i = -points; i <= points; ++i) {
            const double x = centre + half_width * i / points;
            if (const double value = error(std::exp(x)); value < least) {
                least = value;
                best = x;
            }
        }
        centre = best;
        half_width *= 2.0 / points;
    }
    return std::exp(centre);
}

} // namespace

FittedLink fit_link(std::span<const MeasuredPoint> points, double bus_factor) {
    assert(bus_factor > 0);
    const MeasuredCurve checked{{points.begin(), points.end()}};
    if (points.size() < 2)
        throw ModelError{"curve", "has one point", "give two sizes or more to fit a link"};

    const MeasuredPoint& first = points.front();
    const MeasuredPoint& last = points.back();
    const double rate = last.volume.count() * bus_factor / last.time.count();
    // For each bandwidth the best latency; a latency below a thousandth of the first time counts as
    // 0.
    const auto with_bandwidth = [&](double bandwidth) {
        FittedLink link{.latency = {}, .bandwidth = ByteRate{bandwidth}, .mean_log_error = {}};
        const auto error_with = [&](double latency) {
            link.latency = Seconds{latency};
            return mean_log_error(link, points, bus_factor);
        };
        const double max_latency = first.time.count() * 2;
        const double latency = argmin(max_latency * 1e-3, max_latency, error_with);
        link.mean_log_error = error_with(latency);
        if (const double without = error_with(0); without <= link.mean_log_error)
            link.mean_log_error = without;
        else
            link.latency = Seconds{latency};
        return link;
    };
    const double bandwidth = argmin(rate * 0.5, rate * 4, [&](double candidate) {
        return with_bandwidth(candidate).mean_log_error;
    });
    return with_bandwidth(bandwidth);
}

}} // namespace bursar::models
