#include "reports/charts/row_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace bursar { inline namespace reports {
namespace {

constexpr double row_label = 18;
constexpr double row_gap = 4;
constexpr double span_height = 11;
constexpr double least_lane = 4;
constexpr double gantt_side = 8;
constexpr std::size_t num_shades = 6;
constexpr std::array<std::string_view, num_shades> shade_labels{
    "0", "20", "40", "60", "80", "100 %"};

/// The area of each shade.
using ShadePaths = std::array<SvgPath, num_shades>;

/// Adds one row of a map to the areas of the shades; neighbours of one shade are merged. first: its
/// first cell.
void add_cells(const HeatMap& map, std::size_t row, const SvgBox& first, ShadePaths& shades) {
    const std::size_t columns = map.columns.size();
    const auto shade_at = [&](std::size_t column) {
        const auto share = map.cells[row * columns + column];
        return share ? heat_shade(*share) : num_shades;
    };
    const auto x = [&](std::size_t column) {
        return first.x + first.width * static_cast<double>(column);
    };
    for (std::size_t begin = 0; begin < columns;) {
        const std::size_t shade = shade_at(begin);
        std::size_t end = begin + 1;
        while (end < columns && shade_at(end) == shade)
            ++end;
        if (shade < num_shades)
            shades[shade]
                .move_to(x(begin), first.y)
                .across_to(x(end))
                .down_to(first.y + first.height)
                .across_to(x(begin))
                .close();
        begin = end;
    }
}

/// The names of the columns of a map, from `left` on; those that would overlap are left out.
void put_column_labels(SvgWriter& svg, const HeatMap& map, double left, double y) {
    const double cell = (chart_width - left) / std::max(1.0, double(map.columns.size()));
    double taken = -1e9;
    for (std::size_t column = 0; column < map.columns.size(); ++column) {
        const double half = svg_text_width(map.columns[column]) / 2;
        const double middle =
            std::clamp(left + cell * (double(column) + 0.5), half, chart_width - half);
        if (map.columns[column].empty() || middle - half < taken + 6)
            continue;
        svg.text(middle, y, map.columns[column], "label", SvgAnchor::middle);
        taken = middle + half;
    }
}

/// The bars of a row. Rows with several lanes have a background for free lanes.
void put_bars(SvgWriter& svg,
              const ChartRow& row,
              const SvgBox& all,
              const std::function<double(double)>& x) {
    const double lane = all.height / static_cast<double>(row.lanes);
    if (row.lanes > 1)
        svg.rect(all, "fill h0");
    for (const ChartSpan& span : row.spans)
        svg.rect_with_tip({x(span.begin),
                           all.y + lane * static_cast<double>(span.lane),
                           std::max(x(span.end) - x(span.begin), 0.8),
                           lane * static_cast<double>(span.lanes)},
                          "fill " + span.colour + (row.lanes > 1 ? " edged" : ""),
                          span.tip);
}

double height_of_bars(const ChartRow& row) {
    return std::max(span_height, least_lane * static_cast<double>(row.lanes));
}

} // namespace

std::string chart_svg(const GanttChart& chart) {
    StringSink sink;
    const double top = legend_row * static_cast<double>(legend_rows(chart.legend)) + 4;
    double bottom = top + 2;
    for (const ChartRow& row : chart.rows)
        bottom += row_label + height_of_bars(row) + row_gap;
    SvgWriter svg{
        {chart.title.id, chart.title.question, chart.title.answer, chart_width, bottom + 42}, sink};
    put_legend(svg, chart.legend, 0);
    const double width = chart_width - 2 * gantt_side;
    const auto x = [&](double value) { return gantt_side + chart.x.share(value) * width; };
    for (const Tick& tick : chart.x.ticks)
        svg.line(x(tick.at), top, x(tick.at), bottom, "grid");
    double y = top;
    for (const ChartRow& row : chart.rows) {
        const double space = width - svg_text_width(row.value) - 12;
        svg.text(gantt_side, y + 13, svg_cut(row.label, space), "label over");
        svg.text(gantt_side + width, y + 13, row.value, "label over", SvgAnchor::end);
        const double height = height_of_bars(row);
        put_bars(svg, row, {gantt_side, y + row_label, width, height}, x);
        y += row_label + height + row_gap;
    }
    svg.line(gantt_side, bottom, gantt_side + width, bottom, "axis");
    put_marks_below(svg, chart.x, gantt_side, width, bottom);
    svg.end();
    return sink.text();
}

std::size_t heat_shade(double share) {
    return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (num_shades - 1)));
}

std::vector<LegendEntry> heat_map_legend(const HeatMap& map) {
    std::vector<LegendEntry> legend;
    for (std::size_t shade = 0; shade < num_shades; ++shade)
        legend.push_back(
            {(map.shades.empty() ? std::string{shade_labels[shade]} : map.shades[shade]) +
                 (shade + 1 == num_shades ? " " + map.unit : ""),
             "h" + std::to_string(shade)});
    return legend;
}

std::string chart_svg(const HeatMap& map) {
    StringSink sink;
    const std::vector<LegendEntry> legend = heat_map_legend(map);
    const double top = legend_row * static_cast<double>(legend_rows(legend)) + 6;
    double left = 0;
    for (const std::string& row : map.rows)
        left = std::max(left, std::min(svg_text_width(row), 130.0) + 8);
    const double row_height =
        map.rows.size() > 20 ? std::max(3.0, 360.0 / double(map.rows.size())) : 18;
    const double bottom = top + row_height * static_cast<double>(map.rows.size());
    const double cell = (chart_width - left) / std::max(1.0, double(map.columns.size()));
    SvgWriter svg{{map.title.id, map.title.question, map.title.answer, chart_width, bottom + 40},
                  sink};
    put_legend(svg, legend, 0);
    ShadePaths shades;
    double named = -1e9; // where the last name of a row stands
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        const double y = top + row_height * static_cast<double>(row);
        if (!map.rows[row].empty() && y - named >= 14) {
            svg.text(left - 6,
                     y + row_height / 2 + 4,
                     svg_cut(map.rows[row], 130),
                     "label",
                     SvgAnchor::end);
            named = y;
        }
        add_cells(map, row, {left, y, cell, row_height}, shades);
    }
    for (std::size_t shade = 0; shade < num_shades; ++shade)
        if (!shades[shade].text().empty())
            svg.path(shades[shade], "fill cells h" + std::to_string(shade));
    put_column_labels(svg, map, left, bottom + 16);
    svg.text(chart_width, bottom + 34, map.x_title, "quiet", SvgAnchor::end);
    svg.end();
    return sink.text();
}

}} // namespace bursar::reports
