#include "reports/charts/bar_chart.hpp"

#include <algorithm>

namespace bursar { inline namespace reports {
namespace {

constexpr double bar_row = 37; ///< of a bar and the line above it
constexpr double bar_height = 14;
constexpr double side = 8; ///< for half the width of a tick label

} // namespace

std::string chart_svg(const BarChart& chart) {
    StringSink sink;
    const double bottom = bar_row * static_cast<double>(chart.bars.size()) + 4;
    SvgWriter svg{
        {chart.title.id, chart.title.question, chart.title.answer, chart_width, bottom + 42}, sink};
    const double width = chart_width - 2 * side;
    const auto x = [&](double value) { return side + chart.x.share(value) * width; };
    for (const Tick& tick : chart.x.ticks)
        svg.line(x(tick.at), 0, x(tick.at), bottom, "grid");
    double y = 0;
    for (const ChartBar& bar : chart.bars) {
        const double value_width = svg_text_width(bar.value);
        svg.text(side, y + 14, svg_cut(bar.label, width - value_width - 12), "label over");
        svg.text(side + width, y + 14, bar.value, "label over", SvgAnchor::end);
        const double left = x(std::min(bar.from, bar.to));
        const double right = x(std::max(bar.from, bar.to));
        svg.rect({left, y + 19, std::max(right - left, bar.from == bar.to ? 0.0 : 1.0), bar_height},
                 "fill " + bar.colour);
        y += bar_row;
    }
    svg.line(side, bottom, side + width, bottom, "axis");
    put_marks_below(svg, chart.x, side, width, bottom);
    svg.end();
    return sink.text();
}

}} // namespace bursar::reports
