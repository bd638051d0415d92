#pragma once

#include <string>

#include "reports/charts/line_chart.hpp"

/// What a script needs to draw a chart anew, as JSON in one line that may stand in a page: nothing
/// in it ends a script. html/interactive reads it.
namespace bursar::inline reports {

/// {"kind": "lines", "x", "y", "steps", "series": [{"name", "colour", "points": [[x, y], ...]}]}
[[nodiscard]] std::string chart_data(const LineChart& chart);

/// {"kind": "stack", "x", "y", "from": [...], "layers": [{"name", "colour", "values": [...]}]}
[[nodiscard]] std::string chart_data(const StackedChart& chart);

} // namespace bursar::inline reports
