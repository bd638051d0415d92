#include <algorithm>
#include <array>

#include "reports/charts/bar_chart.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t num_columns = 3;
constexpr double block_width = 10;
constexpr double label_line = 15;
constexpr double label_height = 2 * label_line + 3; ///< of a part: its name, and its value below it
constexpr std::array<double, num_columns> column_x{0, 128, 272};

/// The position of a part.
struct PlacedPart {
    double top{}, height{};
    double given{}; ///< height that parts on its right already use
};

/// Positions of the parts: their height is their size, with space for labels between them.
class SankeyLayout {
  public:
    explicit SankeyLayout(const SankeyChart& chart) : places(chart.parts.size()) {
        std::array<std::size_t, num_columns> count{};
        double whole = 0;
        for (const SankeyPart& part : chart.parts) {
            ++count[part.column];
            if (part.column == 0)
                whole += part.size;
        }
        const auto most = static_cast<double>(*std::ranges::max_element(count));
        const double flow = std::max(200.0, most * 20);
        const double scale = whole > 0 ? flow / whole : 0;
        for (std::size_t column = 0; column < num_columns; ++column) {
            double y = 2;
            for (std::size_t i = 0; i < chart.parts.size(); ++i) {
                if (chart.parts[i].column != column)
                    continue;
                places[i].top = y;
                places[i].height = std::max(chart.parts[i].size * scale, 1.0);
                y += std::max(places[i].height + 6, label_height);
            }
            height = std::max(height, y);
        }
    }

    std::vector<PlacedPart> places;
    double height{};
};

void put_flow(SvgWriter& svg, const SankeyPart& part, PlacedPart& from, const PlacedPart& to) {
    const double x1 = column_x[part.column - 1] + block_width;
    const double x2 = column_x[part.column];
    const double y1 = from.top + from.given;
    const double y2 = std::min(y1 + to.height, from.top + from.height);
    SvgPath path;
    path.move_to(x1, y1).flow_to(x2, to.top).down_to(to.top + to.height).flow_to(x1, y2).close();
    svg.path(path, "flow " + part.colour);
    from.given += to.height;
}

} // namespace

std::string chart_svg(const SankeyChart& chart) {
    StringSink sink;
    SankeyLayout layout{chart};
    SvgWriter svg{
        {chart.title.id, chart.title.question, chart.title.answer, chart_width, layout.height + 2},
        sink};
    for (std::size_t i = 0; i < chart.parts.size(); ++i)
        if (const SankeyPart& part = chart.parts[i]; part.column > 0)
            put_flow(svg, part, layout.places[part.from], layout.places[i]);
    for (std::size_t i = 0; i < chart.parts.size(); ++i) {
        const SankeyPart& part = chart.parts[i];
        const PlacedPart& place = layout.places[i];
        const double x = column_x[part.column];
        svg.rect({x, place.top, block_width, place.height}, "fill " + part.colour);
        const double next = part.column + 1 < num_columns ? column_x[part.column + 1] : chart_width;
        const double space = next - x - block_width - 8;
        svg.text(x + block_width + 5, place.top + 11, svg_cut(part.label, space), "label over");
        svg.text(x + block_width + 5, place.top + 11 + label_line, part.value, "label over");
    }
    svg.end();
    return sink.text();
}

}} // namespace bursar::reports
