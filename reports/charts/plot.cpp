#include "reports/charts/plot.hpp"

#include <algorithm>
#include <utility>

namespace bursar { inline namespace reports {
namespace {

constexpr double space_above = 26; ///< for the title of the y axis
constexpr double space_below = 42; ///< for the marks of the x axis and its title
constexpr double room_right = 14;
constexpr double swatch = 12;

/// Width of each entry of a legend.
double entry_width(const LegendEntry& entry) {
    return std::min(swatch * (entry.is_line ? 2 : 1) + 6 + svg_text_width(entry.label) + 14,
                    chart_width);
}

/// Calls put(entry, x, row) for each entry.
template <class Put>
void for_each_place(const std::vector<LegendEntry>& legend, const Put& put) {
    double x = 0;
    std::size_t row = 0;
    for (const LegendEntry& entry : legend) {
        if (x > 0 && x + entry_width(entry) > chart_width) {
            x = 0;
            ++row;
        }
        put(entry, x, row);
        x += entry_width(entry);
    }
}

double left_room(const Axis& y) {
    double widest = 0;
    for (const Tick& tick : y.ticks)
        widest = std::max(widest, svg_text_width(tick.label));
    return widest + 8;
}

} // namespace

std::size_t legend_rows(const std::vector<LegendEntry>& legend) {
    std::size_t rows = 0;
    for_each_place(legend, [&](const LegendEntry&, double, std::size_t row) { rows = row + 1; });
    return rows;
}

void put_legend(SvgWriter& svg, const std::vector<LegendEntry>& legend, double y) {
    for_each_place(legend, [&](const LegendEntry& entry, double x, std::size_t row) {
        const double top = y + legend_row * static_cast<double>(row);
        const double mark = swatch * (entry.is_line ? 2 : 1);
        if (entry.is_line)
            svg.line(x, top + 9, x + mark, top + 9, "stroke " + entry.colour);
        else
            svg.rect({x, top + 3, mark, swatch}, "fill " + entry.colour);
        const double space = chart_width - x - mark - 6;
        svg.text(x + mark + 6, top + 13, svg_cut(entry.label, space), "label");
    });
}

void put_marks_below(
    SvgWriter& svg, const Axis& axis, double left, double width, double bottom, double room) {
    double taken = -1e9; // where the last mark's text ends
    for (const Tick& tick : axis.ticks) {
        const double half = svg_text_width(tick.label) / 2;
        const double middle = std::clamp(left + axis.share(tick.at) * width, half, room - half);
        if (middle - half < taken + 6)
            continue;
        svg.text(middle, bottom + 17, tick.label, "label", SvgAnchor::middle);
        taken = middle + half;
    }
    svg.text(left + width, bottom + 35, axis.title, "quiet", SvgAnchor::end);
}

Plot::Plot(const ChartTitle& title,
           Axis x,
           Axis y,
           const std::vector<LegendEntry>& legend,
           double height,
           TextSink& sink)
    : x_{std::move(x)}, y_{std::move(y)},
      top_{legend_row * static_cast<double>(legend_rows(legend)) + space_above},
      left_{left_room(y_)}, width_{chart_width - left_ - room_right}, height_{height},
      svg_{{title.id, title.question, title.answer, chart_width, top_ + height + space_below},
           sink} {
    put_legend(svg_, legend, 0);
    put_axes();
}

void Plot::put_axes() {
    svg_.text(0, top_ - 12, y_.title, "quiet");
    for (const Tick& tick : y_.ticks) {
        const double at = y(tick.at);
        svg_.line(left_, at, right(), at, "grid");
        svg_.text(left_ - 6, at + 4, tick.label, "label", SvgAnchor::end);
    }
    svg_.line(left_, bottom(), right(), bottom(), "axis");
    for (const Tick& tick : x_.ticks)
        svg_.line(x(tick.at), bottom(), x(tick.at), bottom() + 4, "axis");
    put_marks_below(svg_, x_, left_, width_, bottom());
}

}} // namespace bursar::reports
