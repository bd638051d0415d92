#pragma once

#include <functional>
#include <span>
#include <vector>

namespace bursar { inline namespace models {

/// A smooth function of some variables: returns its value at `at` and writes its gradient, which
/// has as many entries. A value that is not finite means "outside".
using SmoothFunction =
    std::function<double(std::span<const double> at, std::span<double> gradient)>;

struct Minimum {
    std::vector<double> at;
    double value{};
};

/// A local minimum of `f` reached downhill from `start`, where f must be finite; iterates until the
/// value falls by less than a part in 1e14 per step or the gradient vanishes, 500 steps at most.
/// Meant for a handful of variables of like scale.
///
/// BFGS with the bisecting weak-Wolfe line search, which also copes with the kinks of a nearly
/// absolute loss. Source: Nocedal and Wright, "Numerical Optimization", 2006, ch. 6; Lewis and
/// Overton, "Nonsmooth optimization via quasi-Newton methods", Math. Prog. 141, 2013.
[[nodiscard]] Minimum minimise(const SmoothFunction& f, std::vector<double> start);

}} // namespace bursar::models
