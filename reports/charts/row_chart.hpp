#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/charts/plot.hpp"

namespace bursar { inline namespace reports {

/// A time interval in a row.
struct ChartSpan {
    double begin{}, end{};
    std::string colour;
    std::string tip;      ///< shown under the pointer; may be empty
    std::size_t lane{};   ///< its first lane, from the top
    std::size_t lanes{1}; ///< number of lanes it fills
};

/// A row with its name above it.
struct ChartRow {
    std::string label;
    std::string value;
    std::vector<ChartSpan> spans;
    std::size_t lanes{1}; ///< for spans of the same time
};

/// Spans of time in rows over one time axis.
struct GanttChart {
    ChartTitle title;
    Axis x;
    std::vector<LegendEntry> legend;
    std::vector<ChartRow> rows;
};
[[nodiscard]] std::string chart_svg(const GanttChart& chart);

/// A grid of cells, darker nearer to 1.
struct HeatMap {
    ChartTitle title;
    std::string x_title;                      ///< of the columns
    std::string unit;                         ///< of the values: "of the GPUs busy"
    std::vector<std::string> columns;         ///< a label each, or none
    std::vector<std::string> rows;            ///< likewise, beside the row
    std::vector<std::optional<double>> cells; ///< by row, 0 to 1; absent: no value
    /// The meaning of the six shades, the lightest first; empty: shares in per cent.
    std::vector<std::string> shades{};
    /// The name of each column, shown under the pointer; empty: its label.
    std::vector<std::string> column_names{};
};
[[nodiscard]] std::string chart_svg(const HeatMap& map);

/// The shade of a cell, 0 (lightest) to 5, and the legend of the shades.
[[nodiscard]] std::size_t heat_shade(double share);
[[nodiscard]] std::vector<LegendEntry> heat_map_legend(const HeatMap& map);

}} // namespace bursar::reports
