#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/charts/plot.hpp"

namespace bursar { inline namespace reports {

/// A column of a table in a page.
struct HtmlColumn {
    std::string title;
    bool is_words{}; ///< aligned left; figures are aligned right
};

enum class HtmlRowKind : std::uint8_t {
    plain,
    under, ///< a part of the row above
    sum
};

/// A row of a table. Texts are as in the result, not escaped.
struct HtmlRow {
    std::vector<std::string> cells;
    HtmlRowKind kind{HtmlRowKind::plain};
};

struct HtmlTable {
    std::vector<HtmlColumn> columns;
    std::vector<HtmlRow> rows;
};

/// A chart with the figures behind it.
struct Figure {
    ChartTitle title;
    std::string svg;
    HtmlTable table;
    std::vector<std::string> notes; ///< what a reader must know to read it
    std::string data{};             ///< chart_data of it; empty: the drawing is all
};

/// A heading with its charts.
struct FigureSection {
    std::string title;
    std::vector<Figure> figures;
};

}} // namespace bursar::reports
