#include "reports/charts/point_chart.hpp"

#include <algorithm>
#include <array>

namespace bursar { inline namespace reports {
namespace {

constexpr double interval_row = 37;
constexpr double interval_side = 10;
constexpr double dot = 4.5;
constexpr double scatter_height = 250;
constexpr double letter_height = 13;

/// Finds places for names beside points, so that they overlap no other name or point.
class NamePlaces {
  public:
    NamePlaces(const ScatterChart& chart, const Plot& plot, const std::optional<SvgBox>& taken) {
        if (taken)
            taken_.push_back(*taken);
        for (const ScatterPoint& point : chart.points)
            taken_.push_back({plot.x(point.x) - dot, plot.y(point.y) - dot, 2 * dot, 2 * dot});
    }

    /// A place for a name of that width; absent: there is none.
    std::optional<SvgBox> place(double x, double y, double width, const Plot& plot) {
        const std::array candidates{SvgBox{x + 8, y - 7, width, letter_height},
                                    SvgBox{x - 8 - width, y - 7, width, letter_height},
                                    SvgBox{x - width / 2, y - 21, width, letter_height},
                                    SvgBox{x - width / 2, y + 8, width, letter_height}};
        for (const SvgBox& box : candidates) {
            const bool is_inside = box.x >= plot.left() && box.x + box.width <= chart_width &&
                                   box.y >= plot.top() - 4 && box.y + box.height <= plot.bottom();
            if (!is_inside ||
                std::ranges::any_of(taken_, [&](const SvgBox& other) { return meets(box, other); }))
                continue;
            taken_.push_back(box);
            return box;
        }
        return std::nullopt;
    }

  private:
    static bool meets(const SvgBox& a, const SvgBox& b) {
        return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
               b.y < a.y + a.height;
    }

    std::vector<SvgBox> taken_;
};

void put_clouds(const ScatterChart& chart, Plot& plot) {
    if (chart.has_diagonal)
        plot.svg().line(plot.left(), plot.bottom(), plot.right(), plot.top(), "axis");
    for (const ScatterCloud& cloud : chart.clouds) {
        SvgPath dots;
        for (const auto& [x, y] : cloud.at)
            dots.dot(plot.x(x), plot.y(y));
        if (!cloud.at.empty())
            plot.svg().path(dots, "dots " + cloud.classes);
    }
}

void put_edges(const ScatterChart& chart, Plot& plot) {
    constexpr double length = 9;
    for (const ScatterEdge& edge : chart.edges) {
        SvgPath strokes;
        for (const double x : edge.at_top)
            strokes.move_to(plot.x(x), plot.top()).down_to(plot.top() + length);
        for (const double y : edge.at_right)
            strokes.move_to(plot.right() - length, plot.y(y)).across_to(plot.right());
        if (!strokes.text().empty())
            plot.svg().path(strokes, "stroke " + edge.colour);
    }
}

/// Draws the guides. Returns the place of the label.
std::optional<SvgBox> put_guides(const ScatterChart& chart, Plot& plot) {
    std::optional<SvgBox> place;
    const auto put_label = [&](double x, double y, const std::string& label, SvgAnchor anchor) {
        const double width = svg_text_width(label);
        place = SvgBox{anchor == SvgAnchor::end ? x - width : x, y - 11, width, letter_height};
        plot.svg().text(x, y, label, "label over", anchor);
    };
    if (chart.y_guide) {
        const double y = plot.y(chart.y_guide->at);
        plot.svg().line(plot.left(), y, plot.right(), y, "goal");
        put_label(plot.right() - 4,
                  y < plot.top() + 20 ? y + 15 : y - 5,
                  svg_cut(chart.y_guide->label, plot.right() - plot.left() - 8),
                  SvgAnchor::end);
    }
    if (chart.x_guide) {
        const double x = plot.x(chart.x_guide->at);
        plot.svg().line(x, plot.top(), x, plot.bottom(), "goal");
        const bool is_left = x > (plot.left() + plot.right()) / 2;
        const double room = is_left ? x - plot.left() : plot.right() - x;
        put_label(is_left ? x - 5 : x + 5,
                  plot.top() + 12,
                  svg_cut(chart.x_guide->label, room - 8),
                  is_left ? SvgAnchor::end : SvgAnchor::start);
    }
    return place;
}

} // namespace

std::string chart_svg(const IntervalChart& chart) {
    StringSink sink;
    const double bottom = interval_row * static_cast<double>(chart.rows.size()) + 4;
    SvgWriter svg{
        {chart.title.id, chart.title.question, chart.title.answer, chart.width, bottom + 42}, sink};
    const double width = chart.width - 2 * interval_side;
    const auto x = [&](double value) { return interval_side + chart.x.share(value) * width; };
    for (const Tick& tick : chart.x.ticks)
        svg.line(x(tick.at), 0, x(tick.at), bottom, "grid");
    svg.line(x(0), 0, x(0), bottom, "axis");
    if (chart.guide)
        svg.line(x(chart.guide->at), 0, x(chart.guide->at), bottom, "goal");
    double y = 0;
    for (const ChartInterval& row : chart.rows) {
        // Off the ends, where the lines of the axis are.
        const double space = width - svg_text_width(row.value) - 20;
        svg.text(interval_side + 4, y + 14, svg_cut(row.label, space), "label over");
        svg.text(interval_side + width - 4, y + 14, row.value, "label over", SvgAnchor::end);
        const double middle = y + 26;
        if (row.low && row.high) {
            svg.line(x(*row.low), middle, x(*row.high), middle, "stroke " + row.colour);
            for (const double end : {*row.low, *row.high})
                svg.line(x(end), middle - 4, x(end), middle + 4, "stroke " + row.colour);
        }
        svg.circle(x(row.at), middle, dot, "fill " + row.colour, row.label);
        y += interval_row;
    }
    svg.line(interval_side, bottom, interval_side + width, bottom, "axis");
    put_marks_below(svg, chart.x, interval_side, width, bottom, chart.width);
    svg.end();
    return sink.text();
}

std::string chart_svg(const ScatterChart& chart) {
    StringSink sink;
    Plot plot{chart.title, chart.x, chart.y, chart.legend, scatter_height, sink};
    SvgPath front;
    for (std::size_t i = 0; i < chart.front.size(); ++i) {
        const ScatterPoint& point = chart.points[chart.front[i]];
        if (i == 0)
            front.move_to(plot.x(point.x), plot.y(point.y));
        else
            front.across_to(plot.x(point.x)).down_to(plot.y(point.y));
    }
    if (chart.front.size() > 1)
        plot.svg().path(front, "stroke s5");
    put_clouds(chart, plot);
    put_edges(chart, plot);
    const std::optional<SvgBox> guide_label = put_guides(chart, plot);
    for (const ScatterPoint& point : chart.points)
        plot.svg().circle(
            plot.x(point.x), plot.y(point.y), dot, "fill " + point.colour, point.label);
    NamePlaces places{chart, plot, guide_label};
    for (const ScatterPoint& point : chart.points) {
        if (!point.is_named)
            continue;
        const std::string label = svg_cut(point.label, 170);
        if (const auto box =
                places.place(plot.x(point.x), plot.y(point.y), svg_text_width(label), plot))
            plot.svg().text(box->x, box->y + 11, label, "label over");
    }
    plot.end();
    return sink.text();
}

std::string chart_svg(const ParallelChart& chart) {
    constexpr double height = 230;
    StringSink sink;
    // Titles alternate between two rows, so that each has the width of two axes.
    const double top = legend_row * static_cast<double>(legend_rows(chart.legend)) + 46;
    const double bottom = top + height;
    SvgWriter svg{
        {chart.title.id, chart.title.question, chart.title.answer, chart_width, bottom + 8}, sink};
    put_legend(svg, chart.legend, 0);
    const double space = chart_width / static_cast<double>(chart.axes.size());
    const auto x = [&](std::size_t axis) { return 8 + space * static_cast<double>(axis); };
    const auto y = [&](double at) { return bottom - at * height; };
    for (const ParallelLine& line : chart.lines) {
        SvgPath path;
        path.move_to(x(0), y(line.at[0]));
        for (std::size_t axis = 1; axis < line.at.size(); ++axis)
            path.line_to(x(axis), y(line.at[axis]));
        svg.path(path, "stroke " + line.colour, line.label);
    }
    for (std::size_t axis = 0; axis < chart.axes.size(); ++axis) {
        svg.line(x(axis), top, x(axis), bottom, "axis");
        const double title_space = std::min(2 * space - 6, chart_width - x(axis) + 8);
        svg.text(x(axis) - 8,
                 top - (axis % 2 == 0 ? 26 : 10),
                 svg_cut(chart.axes[axis].title, title_space),
                 "quiet over");
        double taken = 1e9;
        for (const Tick& tick : chart.axes[axis].ticks) {
            const double at = std::clamp(y(tick.at) + 4, top + 8, bottom);
            if (at > taken - letter_height - 1)
                continue;
            svg.text(x(axis) + 5, at, svg_cut(tick.label, space - 12), "label over");
            taken = at;
        }
    }
    svg.end();
    return sink.text();
}

}} // namespace bursar::reports
