#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/scaling/loss_surface.hpp"

/// Loss surfaces fitted to training runs: Hoffmann's Approach 3 as in Besiroglu et al. 2024. The
/// Huber loss of log L is nearly an absolute deviation, so a run that diverged moves the fit
/// little.
namespace bursar { inline namespace models {

/// The end of one training run; sizes and loss > 0.
struct ScalingRun {
    Allocation size;
    double loss{}; ///< nats per token
};

/// `runs` without the `count` of highest loss, in their order: Besiroglu et al. 2024 leave out the
/// 5 worst of their 245, which lie far above any surface. Throws ModelError when none would be
/// left.
[[nodiscard]] std::vector<ScalingRun> without_highest(std::span<const ScalingRun> runs,
                                                      std::size_t count);

/// Errors of a surface on runs: the means of |L^/L - 1| and of L^/L - 1.
struct SurfaceError {
    double mean_absolute{};
    double bias{};
};

/// runs: not empty (asserted).
[[nodiscard]] SurfaceError surface_error(const LossSurface& surface,
                                         std::span<const ScalingRun> runs);

inline constexpr double huber_delta = 1e-3; ///< of log L; Hoffmann et al. 2022, appendix D.3
inline constexpr std::size_t min_runs_to_fit = 10;

struct SurfaceFit {
    LossSurface surface; ///< id "fit"; its range of compute is that of the runs
    double objective{};  ///< sum over the runs of the Huber loss of log L
};

/// The E, A, B, alpha, beta with the least summed Huber loss of log L against the log-sum-exp of
/// the surface's terms, from a grid of starts. Deterministic.
///
/// Throws ModelError for fewer than 10 runs, sizes or losses not above zero, runs that all share
/// one N or one D, and runs whose best surface does not fall in both N and D.
[[nodiscard]] SurfaceFit fit_surface(std::span<const ScalingRun> runs);

/// The same from one start, which is near the answer (for samples of runs already fitted). Does not
/// throw: for a sample that determines no surface, the result is the end point of the descent.
[[nodiscard]] SurfaceFit refit_surface(std::span<const ScalingRun> runs, const LossSurface& start);

inline constexpr std::size_t min_resamples =
    20; ///< fewer cannot resolve the tails of a 95 % interval

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
/// with replacement. Equal seeds give equal intervals. Throws ModelError when resamples < 20.
/// Source: Efron, "Bootstrap methods", Annals of Statistics 7(1), 1979.
[[nodiscard]] SurfaceIntervals bootstrap_intervals(std::span<const ScalingRun> runs,
                                                   const SurfaceFit& fit,
                                                   std::size_t resamples,
                                                   std::uint64_t seed);

}} // namespace bursar::models
