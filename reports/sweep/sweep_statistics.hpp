#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace bursar { inline namespace reports {

/// How much of what a metric varies over a grid an axis accounts for.
struct Sensitivity {
    double main{};  ///< share of the variance that the axis explains alone, 0 .. 1
    double total{}; ///< with its interactions with other axes, main .. 1
};

/// Main and total effects of each axis of a full grid:
///
///     main_i  = Var(E[Y | x_i]) / Var(Y)
///     total_i = E[Var(Y | x_~i)] / Var(Y)
///
/// over the points of the grid, each as likely; x_~i are all axes but i. Exact sums over the grid
/// and no estimates, as every combination is there.
///
/// sizes: how many values each axis has. values: of the metric, the last axis changing fastest; as
/// many as their product. Absent where a value is, or where the metric is the same everywhere.
/// Source: Sobol 1993, "Sensitivity estimates for nonlinear mathematical models"; total effects:
/// Homma and Saltelli 1996, "Importance measures in global sensitivity analysis of nonlinear
/// models", Reliability Engineering and System Safety 52(1).
[[nodiscard]] std::optional<std::vector<Sensitivity>>
sensitivities(std::span<const std::size_t> sizes, std::span<const std::optional<double>> values);

/// A point of two figures, both of which are better the lower they are; absent: no point.
struct TwoFigures {
    std::optional<double> first;
    std::optional<double> second;
};

/// Places of the points that no other is better than: as low in both and lower in one. Ascending in
/// the first figure; of equal points only the first. O(n log n).
/// Source: Kung, Luccio and Preparata 1975, "On finding the maxima of a set of vectors", JACM
/// 22(4).
[[nodiscard]] std::vector<std::size_t> pareto_front(std::span<const TwoFigures> points);

}} // namespace bursar::reports
