#pragma once

#include <functional>
#include <span>
#include <vector>

namespace bursar { inline namespace models {

/// One unknown of a fit. lower < upper; lower <= start <= upper.
struct BoundedParameter {
    double start{};
    double lower{};
    double upper{};
};

/// Writes the residuals of the parameters `values` to `out`, whose size never changes. Residuals
/// are finite within the bounds.
using Residuals = std::function<void(std::span<const double> values, std::span<double> out)>;

struct FitOptions {
    int starts{3};          ///< starting points: the given one, then a low-discrepancy sequence
    int max_iterations{40}; ///< per starting point
    /// Residuals beyond this count about linearly instead of squared (pseudo-Huber), so that a few
    /// odd measurements do not decide the fit. > 0
    double outlier_scale{0.05};
};

struct BoundedFit {
    std::vector<double> values; ///< inside the bounds
    double loss{};              ///< mean pseudo-Huber loss of the residuals
};

/// Least squares within bounds: Levenberg-Marquardt steps on the free parameters; a parameter on a
/// bound that would leave it is held there (projected steps, Kanzow, Yamashita and Fukushima 2004);
/// Jacobian by forward differences; residuals re-weighted by the pseudo-Huber loss. The best of
/// several starting points. Deterministic: starting points are a Halton sequence.
///
/// Why no library: NLopt minimises one number and knows of no residuals. On fits of stack profiles
/// its SLSQP and L-BFGS end at the same losses after four times as many evaluations, each of which
/// models every step. L-BFGS fails at one start of nine (NLopt 2.7.1).
///
/// num_residuals: > 0. parameters: not empty.
BoundedFit fit_within_bounds(const Residuals& residuals,
                             std::size_t num_residuals,
                             std::span<const BoundedParameter> parameters,
                             const FitOptions& options = {});

}} // namespace bursar::models
