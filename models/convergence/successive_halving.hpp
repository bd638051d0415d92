#pragma once

#include <cstdint>
#include <vector>

/// A hyper-parameter search that gives many trials a little, and the best few of them more. Source:
/// Jamieson and Talwalkar 2016, arXiv 1502.07943; rungs as in Li et al. 2018 (Hyperband).
namespace bursar {

/// One round: `trials` run until each has had `resource`; the best go on.
struct Rung {
    std::int64_t trials{};
    double resource{}; ///< per trial, in the units of the first rung's (GPU-hours, steps)
};

struct HalvingPlan {
    std::vector<Rung> rungs;

    /// Sum of n_i r_i: every rung trains from the beginning. With exact divisions it is
    /// n_0 r_0 x rungs.
    [[nodiscard]] double cost() const;
};

/// n_i = floor(n_0 / eta^i), r_i = r_0 eta^i, until one trial is left.
/// trials: n_0 >= 1. resource: r_0 > 0. eta: >= 2. Else ModelError.
[[nodiscard]] HalvingPlan
successive_halving(std::int64_t trials, double resource, std::int64_t eta);

} // namespace bursar
