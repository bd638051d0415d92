#pragma once

#include <string>

#include "reports/charts/bar_chart.hpp"
#include "reports/charts/line_chart.hpp"
#include "reports/charts/point_chart.hpp"
#include "reports/charts/row_chart.hpp"

/// The data of a chart for the script, as JSON in one line that is safe inside a page.
/// html/interactive reads it. An axis is {"title", "min", "max", "log", "is_time", "zero", "ticks":
/// [[at, label], ...]}, a legend [{"name", "colour"}, ...]; colours are classes of the style sheet.
namespace bursar { inline namespace reports {

/// {"kind": "lines", "x", "y", "steps", "series": [{"name", "colour", "points": [[x, y], ...]}]}
[[nodiscard]] std::string chart_data(const LineChart& chart);

/// {"kind": "stack", "x", "y", "from": [...], "layers": [{"name", "colour", "values": [...]}]}
[[nodiscard]] std::string chart_data(const StackedChart& chart);

/// {"kind": "bars", "x", "rows": [{"name", "value", "colour", "from", "to"}]}
[[nodiscard]] std::string chart_data(const BarChart& chart);

/// {"kind": "flows", "parts": [{"name", "value", "colour", "size", "column", "from"}]}
[[nodiscard]] std::string chart_data(const SankeyChart& chart);

/// {"kind": "intervals", "x", "rows": [{"name", "value", "colour", "at", "low", "high"}], "guide"};
/// a guide is {"at", "name"}, and absent where there is none
[[nodiscard]] std::string chart_data(const IntervalChart& chart);

/// {"kind": "points", "x", "y", "legend", "points": [[x, y, colour, name, is_named], ...],
/// "front": [place, ...], "clouds": [{"colour", "name", "at": [[x, y], ...]}], "edges": [{"colour",
/// "name", "top": [x, ...], "right": [y, ...]}], "x_guide", "y_guide", "diagonal"}
[[nodiscard]] std::string chart_data(const ScatterChart& chart);

/// {"kind": "parallel", "legend", "axes": [{"title", "ticks"}], "lines": [{"name", "colour",
/// "at"}]}
[[nodiscard]] std::string chart_data(const ParallelChart& chart);

/// {"kind": "spans", "x", "legend", "rows": [{"name", "value", "lanes", "spans": [[begin, end,
/// colour, tip, lane, lanes], ...]}]}
[[nodiscard]] std::string chart_data(const GanttChart& chart);

/// {"kind": "map", "title", "legend", "columns", "names", "rows", "shades": [0 to 5 or null, ...]},
/// shades row by row; where they are shares: "percent" likewise, and their "unit"
[[nodiscard]] std::string chart_data(const HeatMap& map);

}} // namespace bursar::reports
