#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "models/scaling/surface_fit.hpp"

namespace bursar { inline namespace models {

inline constexpr std::size_t min_resamples = 20; ///< fewer leave a 95 % interval without tails

struct Interval {
    double low{};
    double high{};
};

/// 95 % intervals of a fitted surface.
struct SurfaceIntervals {
    Interval entropy;
    Interval params_coefficient;
    Interval tokens_coefficient;
    Interval alpha;
    Interval beta;
    Interval params_exponent; ///< a of the optimal allocation, beta / (alpha + beta)
};

/// Percentile intervals from refits of `resamples` samples of the runs `fit` was made of, drawn
/// with replacement. Equal seeds, equal intervals. Throws ModelError when resamples < 20.
/// Source: Efron, "Bootstrap methods", Annals of Statistics 7(1), 1979.
[[nodiscard]] SurfaceIntervals bootstrap_intervals(std::span<const ScalingRun> runs,
                                                   const SurfaceFit& fit,
                                                   std::size_t resamples,
                                                   std::uint64_t seed);

}} // namespace bursar::models
