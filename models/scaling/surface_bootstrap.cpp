#include "models/scaling/surface_bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "models/errors/model_error.hpp"
#include "models/random/philox.hpp"
#include "models/scaling/compute_optimal.hpp"

namespace bursar { inline namespace models {
namespace {

constexpr double tail = 0.025; // of a 95 % interval, on each side

std::vector<ScalingRun>
resampled(std::span<const ScalingRun> runs, const RandomStream& random, std::size_t replicate) {
    std::vector<ScalingRun> sample;
    sample.reserve(runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        sample.push_back(runs[random.below(runs.size(), replicate, static_cast<std::uint32_t>(i))]);
    return sample;
}

/// The order statistics nearest to both tails.
template <class Value>
Interval percentiles(const std::vector<LossSurface>& surfaces, Value value) {
    std::vector<double> values;
    values.reserve(surfaces.size());
    for (const LossSurface& surface : surfaces)
        values.push_back(std::invoke(value, surface));
    std::ranges::sort(values);
    const auto last = static_cast<double>(values.size() - 1);
    return {values[static_cast<std::size_t>(std::floor(tail * last))],
            values[static_cast<std::size_t>(std::ceil((1 - tail) * last))]};
}

} // namespace

SurfaceIntervals bootstrap_intervals(std::span<const ScalingRun> runs,
                                     const SurfaceFit& fit,
                                     std::size_t resamples,
                                     std::uint64_t seed) {
    if (resamples < min_resamples)
        throw ModelError{"bootstrap",
                         std::to_string(resamples) + " resamples are too few for an interval",
                         "take at least " + std::to_string(min_resamples)};
    const RandomStream random{seed, Stream::scaling_bootstrap};
    std::vector<LossSurface> surfaces;
    surfaces.reserve(resamples);
    for (std::size_t replicate = 0; replicate < resamples; ++replicate)
        surfaces.push_back(refit_surface(resampled(runs, random, replicate), fit.surface).surface);
    return {.entropy = percentiles(surfaces, &LossSurface::entropy),
            .params_coefficient = percentiles(surfaces, &LossSurface::params_coefficient),
            .tokens_coefficient = percentiles(surfaces, &LossSurface::tokens_coefficient),
            .alpha = percentiles(surfaces, &LossSurface::alpha),
            .beta = percentiles(surfaces, &LossSurface::beta),
            .params_exponent = percentiles(surfaces, optimal_params_exponent)};
}

}} // namespace bursar::models
