#pragma once

#include <cstddef>
#include <span>

#include "models/scaling/scaling_run.hpp"

/// Loss surfaces from training runs, one's own or published: Hoffmann's Approach 3 as Besiroglu et
/// al. 2024 repeat it. The Huber loss of log L is nearly an absolute deviation, so a run that
/// diverged moves the fit little.
namespace bursar { inline namespace models {

inline constexpr double huber_delta = 1e-3; ///< of log L; Hoffmann et al. 2022, appendix D.3
inline constexpr std::size_t min_runs_to_fit = 10;

struct SurfaceFit {
    LossSurface surface; ///< id "fit"; its range of compute is that of the runs
    double objective{};  ///< sum over the runs of the Huber loss of log L
};

/// The E, A, B, alpha, beta of least summed Huber loss of log L against the log-sum-exp of the
/// surface's three terms, from a grid of starts. Deterministic.
///
/// Throws ModelError for fewer than 10 runs, sizes or losses not above zero, runs that all share
/// one N or one D, and runs that no surface falling in both describes best.
[[nodiscard]] SurfaceFit fit_surface(std::span<const ScalingRun> runs);

/// The same from one start, which is near the answer (for samples of runs already fitted). Throws
/// nothing: a sample that determines no surface gives what the descent ends at.
[[nodiscard]] SurfaceFit refit_surface(std::span<const ScalingRun> runs, const LossSurface& start);

}} // namespace bursar::models
