#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace bursar { inline namespace reports {

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
