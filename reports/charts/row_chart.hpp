#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/charts/plot.hpp"

namespace bursar { inline namespace reports {

/// A stretch of time in a row.
struct ChartSpan {
    double begin{}, end{};
    std::string colour;
    std::string tip;      ///< what it is, where the pointer rests; may be empty
    std::size_t lane{};   ///< the first of its lanes, from the top
    std::size_t lanes{1}; ///< that it fills
};

/// A row, named on a line above it.
struct ChartRow {
    std::string label;
    std::string value;
    std::vector<ChartSpan> spans;
    std::size_t lanes{1}; ///< that spans of one time lie side by side in
};

/// What happened when, row by row over one axis of time.
struct GanttChart {
    ChartTitle title;
    Axis x;
    std::vector<LegendEntry> legend;
    std::vector<ChartRow> rows;
};
[[nodiscard]] std::string gantt_svg(const GanttChart& chart);

/// A grid of cells, the darker the nearer to 1.
struct HeatMap {
    ChartTitle title;
    std::string x_title;                      ///< what columns are
    std::string unit;                         ///< what 0 and 1 are: "of the GPUs busy"
    std::vector<std::string> columns;         ///< a label each, or none
    std::vector<std::string> rows;            ///< likewise, beside the row
    std::vector<std::optional<double>> cells; ///< row by row, 0 to 1; absent: nothing there
    /// What the six shades mean, the lightest first; empty: shares in per cent.
    std::vector<std::string> shades{};
    /// What each column is, where the pointer rests; empty: its label.
    std::vector<std::string> column_names{};
};
[[nodiscard]] std::string heat_map_svg(const HeatMap& map);

/// Which of the six shades a cell has, 0 the lightest, and what each of them means.
[[nodiscard]] std::size_t heat_shade(double share);
[[nodiscard]] std::vector<LegendEntry> heat_map_legend(const HeatMap& map);

}} // namespace bursar::reports
