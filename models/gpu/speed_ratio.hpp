#pragma once

#include "models/gpu/gpu.hpp"

namespace bursar { inline namespace models {

/// A factor that is not measured for the job: the assumed value and its range.
struct SpeedRange {
    double low{1};
    double likely{1};
    double high{1};

    /// Of the way back: jobs of the second GPU on the first.
    [[nodiscard]] constexpr SpeedRange inverse() const { return {1 / high, 1 / likely, 1 / low}; }
};

/// The speed of jobs on another GPU, and the figures that it follows from.
struct SpeedRatio {
    SpeedRange range;
    double by_memory{1};     ///< ratio of the memory bandwidths
    double by_peak{1};       ///< ratio of the rates of matrix products
    bool is_peak_measured{}; ///< by_peak is of the best products measured, not of dense peaks
};

/// The share of the memory bandwidths in the logarithm of `likely`, and by how much the range is
/// wider than both ratios (FORMULAS 5.1): of GPUs that multiply alike, of other ones, and once more
/// for another vendor's.
inline constexpr double memory_share_of_speed = 2.0 / 3.0;
inline constexpr double same_chip_margin = 1.15;
inline constexpr double speed_range_margin = 1.4;

/// The format in which a job of format `wanted` multiplies on that GPU: that one, or the nearest
/// that the GPU has (fp8, bf16, fp16, fp32; tf32, fp32).
[[nodiscard]] Precision nearest_precision(const Gpu& gpu, Precision wanted);

/// The speed on `to` of jobs of format `precision` that ran on `from`, without a measurement.
///
/// Jobs that move tensors gain the ratio of memory bandwidths, jobs that multiply that of matrix
/// products: of the best ones measured, if both GPUs have a measurement, else of dense peaks.
/// likely = by_memory^(2/3) by_peak^(1/3); low and high lie beyond the two by a margin. GPUs with
/// the same figures are equally fast. Throws UnknownFact where a bandwidth or a peak is not
/// published. Source: fitted here, FORMULAS 5.1; checked by speed_ratio_test.cpp.
[[nodiscard]] SpeedRatio speed_ratio(const Gpu& from, const Gpu& to, Precision precision);

}} // namespace bursar::models
