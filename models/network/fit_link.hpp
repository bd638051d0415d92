#pragma once

#include <span>

#include "models/network/measured_curve.hpp"

namespace bursar { inline namespace models {

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
