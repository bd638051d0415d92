#pragma once

#include <string>
#include <vector>

#include "reports/charts/plot.hpp"

namespace bursar { inline namespace reports {

/// A horizontal bar from `from` to `to`, with label and value above it.
struct ChartBar {
    std::string label; ///< its name
    std::string value; ///< its size with the unit
    std::string colour;
    double from{}, to{}; ///< of x
};

/// Bars over one axis. Label and value stand above each bar, so that they need not fit into it.
struct BarChart {
    ChartTitle title;
    Axis x;
    std::vector<ChartBar> bars;
};
[[nodiscard]] std::string chart_svg(const BarChart& chart);

/// How a whole divides: three columns of parts with flows between them.
struct SankeyPart {
    std::string label;
    std::string value;
    std::string colour;
    double size{};        ///< >= 0
    std::size_t column{}; ///< 0, 1 or 2
    std::size_t from{};   ///< index of the part to its left that contains it; ignored in column 0
};

struct SankeyChart {
    ChartTitle title;
    std::vector<SankeyPart> parts; ///< by column, then in the order of the parts that contain them
};
[[nodiscard]] std::string chart_svg(const SankeyChart& chart);

}} // namespace bursar::reports
