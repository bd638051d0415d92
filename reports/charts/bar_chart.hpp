#pragma once

#include <string>
#include <vector>

#include "reports/charts/plot.hpp"

namespace bursar { inline namespace reports {

/// A horizontal bar from `from` to `to`, named on a line above it.
struct ChartBar {
    std::string label; ///< of what
    std::string value; ///< how much, with its unit
    std::string colour;
    double from{}, to{}; ///< of x
};

/// Bars below each other over one axis. Label and value stand above each bar, so that neither has
/// to fit into it.
struct BarChart {
    ChartTitle title;
    Axis x;
    std::vector<ChartBar> bars;
};
[[nodiscard]] std::string bar_chart_svg(const BarChart& chart);

/// What of a whole goes where: three columns of parts with flows between them.
struct SankeyPart {
    std::string label;
    std::string value;
    std::string colour;
    double size{};        ///< >= 0
    std::size_t column{}; ///< 0, 1 or 2
    std::size_t from{};   ///< number of the part to its left that it is part of; of column 0 any
};

struct SankeyChart {
    ChartTitle title;
    std::vector<SankeyPart> parts; ///< by column, and in each in the order of what they come from
};
[[nodiscard]] std::string sankey_svg(const SankeyChart& chart);

}} // namespace bursar::reports
