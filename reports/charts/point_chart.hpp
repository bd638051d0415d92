#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/charts/plot.hpp"

namespace bursar { inline namespace reports {

/// An uncertain figure: a point and its interval.
struct ChartInterval {
    std::string label;
    std::string value; ///< at the end of the line above it
    std::string colour;
    double at{};
    std::optional<double> low, high; ///< absent: the point alone
};

/// Intervals below each other over one axis, with a line at 0.
struct IntervalChart {
    ChartTitle title;
    Axis x;
    std::vector<ChartInterval> rows;
    double width{chart_width};
    std::optional<ChartGuide> guide{}; ///< upright, without its label
};
[[nodiscard]] std::string chart_svg(const IntervalChart& chart);

/// More names beside points cover one another.
inline constexpr std::size_t most_named_points = 12;

struct ScatterPoint {
    double x{}, y{};
    std::string label;
    std::string colour;
    bool is_named{}; ///< its label stands beside it if it fits; else it appears under the pointer
};

/// Many points of one colour and size without names.
struct ScatterCloud {
    std::string
        classes; ///< of its dots: a colour and a size, "better d1"; d1 to d4 are 3 to 9 wide
    std::vector<std::pair<double, double>> at; ///< x and y of each
    std::string name{};                        ///< of a dot, shown under the pointer
};

/// Strokes of one colour at the edges, for points without a value on one axis.
struct ScatterEdge {
    std::string colour;
    std::vector<double> at_top;   ///< x of each
    std::vector<double> at_right; ///< y of each
    std::string name{};           ///< the reason, shown under the pointer
};

/// Points over two axes; those of `front` are joined.
struct ScatterChart {
    ChartTitle title;
    Axis x, y;
    std::vector<LegendEntry> legend;
    std::vector<ScatterPoint> points;
    std::vector<std::size_t> front;     ///< indices of points, from left to right
    std::vector<ScatterCloud> clouds{}; ///< below the points, the first undermost
    bool has_diagonal{};                ///< where y is x; of two equal axes
    std::vector<ScatterEdge> edges{};
    std::optional<ChartGuide> x_guide{}; ///< upright
    std::optional<ChartGuide> y_guide{}; ///< level
};
[[nodiscard]] std::string chart_svg(const ScatterChart& chart);

/// One of the upright axes of parallel coordinates.
struct ParallelAxis {
    std::string title;
    std::vector<Tick> ticks; ///< `at` from 0 (bottom) to 1
};

struct ParallelLine {
    std::string label;
    std::string colour;
    std::vector<double> at; ///< by axis, 0 to 1
};

/// One line per item through its values on many axes. Later lines are drawn over earlier ones.
struct ParallelChart {
    ChartTitle title;
    std::vector<LegendEntry> legend;
    std::vector<ParallelAxis> axes; ///< two or more
    std::vector<ParallelLine> lines;
};
[[nodiscard]] std::string chart_svg(const ParallelChart& chart);

}} // namespace bursar::reports
