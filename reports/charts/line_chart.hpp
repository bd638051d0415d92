#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/charts/plot.hpp"

namespace bursar { inline namespace reports {

/// How the points of a line are joined.
enum class LineKind : std::uint8_t { straight, steps };

/// Points from left to right.
struct ChartLine {
    std::string label;
    std::string colour;
    std::vector<std::pair<double, double>> points;
};

/// Lines over one pair of axes. A single line has no legend; the title of the axis names it.
struct LineChart {
    ChartTitle title;
    Axis x, y;
    std::vector<ChartLine> lines;
    LineKind kind{LineKind::straight};
};
[[nodiscard]] std::string chart_svg(const LineChart& chart);

/// One part of a stack, of as many values as there are instants.
struct ChartLayer {
    std::string label;
    std::string colour;
    std::vector<double> values;
};

/// Stacked layers, the first at the bottom. Each value holds from its instant to the next.
struct StackedChart {
    ChartTitle title;
    Axis x, y;
    std::vector<double> from; ///< where each value begins, ascending; the last ends at x.max
    std::vector<ChartLayer> layers;
};
[[nodiscard]] std::string chart_svg(const StackedChart& chart);

}} // namespace bursar::reports
