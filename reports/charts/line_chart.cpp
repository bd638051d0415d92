#include "reports/charts/line_chart.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr double plot_height = 190;

SvgPath path_of(const ChartLine& line, LineKind kind, const Plot& plot) {
    SvgPath path;
    bool first = true;
    for (const auto& [x, y] : line.points) {
        if (first)
            path.move_to(plot.x(x), plot.y(y));
        else if (kind == LineKind::steps)
            path.across_to(plot.x(x)).down_to(plot.y(y));
        else
            path.line_to(plot.x(x), plot.y(y));
        first = false;
    }
    return path;
}

} // namespace

std::string chart_svg(const LineChart& chart) {
    StringSink sink;
    std::vector<LegendEntry> legend;
    if (chart.lines.size() > 1)
        for (const ChartLine& line : chart.lines)
            legend.push_back({line.label, line.colour, true});
    Plot plot{chart.title, chart.x, chart.y, legend, plot_height, sink};
    for (const ChartLine& line : chart.lines)
        plot.svg().path(path_of(line, chart.kind, plot), "stroke " + line.colour, line.label);
    plot.end();
    return sink.text();
}

std::string chart_svg(const StackedChart& chart) {
    StringSink sink;
    std::vector<LegendEntry> legend;
    for (const ChartLayer& layer : chart.layers)
        legend.push_back({layer.label, layer.colour});
    Plot plot{chart.title, chart.x, chart.y, legend, plot_height, sink};
    std::vector<double> below(chart.from.size());
    const auto end_of = [&](std::size_t i) {
        return plot.x(i + 1 < chart.from.size() ? chart.from[i + 1] : chart.x.max);
    };
    for (const ChartLayer& layer : chart.layers) {
        if (chart.from.empty())
            break;
        SvgPath path;
        path.move_to(plot.x(chart.from.front()), plot.y(below.front()));
        for (std::size_t i = 0; i < chart.from.size(); ++i)
            path.down_to(plot.y(below[i] + layer.values[i])).across_to(end_of(i));
        for (std::size_t i = chart.from.size(); i-- > 0;)
            path.down_to(plot.y(below[i])).across_to(plot.x(chart.from[i]));
        plot.svg().path(path.close(), "fill " + layer.colour, layer.label);
        for (std::size_t i = 0; i < below.size(); ++i)
            below[i] += layer.values[i];
    }
    plot.end();
    return sink.text();
}

}} // namespace bursar::reports
