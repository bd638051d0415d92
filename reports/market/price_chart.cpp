#include "reports/market/price_chart.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "reports/charts/svg_writer.hpp"
#include "reports/text/instant.hpp"

namespace bursar { inline namespace reports {
namespace {

constexpr std::size_t chart_rows = 10;
constexpr std::size_t axis_width = 10; ///< of the prices beside the chart

double usd(std::int64_t nano_usd) {
    return static_cast<double>(nano_usd) / static_cast<double>(nano_usd_per_usd);
}

/// The prices between which a chart is drawn; never equal.
PriceSpan drawn_range(const PriceDrawing& drawing) {
    const auto [min, max] = std::ranges::minmax(drawing.series.rate);
    PriceSpan range{min, max};
    if (drawing.line) {
        range.min = std::min(range.min, drawing.line->count());
        range.max = std::max(range.max, drawing.line->count());
    }
    if (range.min == range.max) { // a price that never changes lies in the middle
        range.max += std::max<std::int64_t>(range.min / 10, 1);
        range.min -= range.min / 10;
    }
    return range;
}

std::string instant(const PriceDrawing& drawing, std::int64_t at_ms) {
    return drawing.dated ? readable_instant(0, Duration{at_ms})
                         : readable_instant(std::nullopt, Duration{at_ms});
}

/// The row of a price, the highest first.
std::size_t row_of(std::int64_t price, const PriceSpan& range) {
    const double share =
        static_cast<double>(range.max - price) / static_cast<double>(range.max - range.min);
    return static_cast<std::size_t>(share * (chart_rows - 1) + 0.5);
}

std::string line_label(const PriceDrawing& drawing) {
    return fmt::format("{} {:.4g} {}", drawing.line_name, usd(drawing.line->count()), drawing.unit);
}

constexpr std::string_view style =
    R"(text { font: 12px system-ui, "Helvetica Neue", Arial, sans-serif; fill: #1f2933 }
.title { font-size: 17px; font-weight: 600 }
.axis { fill: none; stroke: #9aa5b1; stroke-width: 1 }
.price { fill: none; stroke: #2f6fb3; stroke-width: 1.5 }
.line { stroke: #d98a1f; stroke-width: 1; stroke-dasharray: 6 4 }
)";

/// Where the chart lies in the document.
struct Frame {
    double left{70};
    double top{50};
    double width{820};
    double height{260};
};

/// Places times and prices in a frame.
class PriceScale {
  public:
    explicit PriceScale(const PriceDrawing& drawing)
        : range_{drawn_range(drawing)}, begin_ms_{drawing.series.start_ms.front()},
          end_ms_{drawing.end.count()} {}

    [[nodiscard]] double x(std::int64_t at_ms) const {
        return frame.left + frame.width * static_cast<double>(at_ms - begin_ms_) /
                                static_cast<double>(end_ms_ - begin_ms_);
    }
    [[nodiscard]] double y(std::int64_t price) const {
        return frame.top + frame.height * static_cast<double>(range_.max - price) /
                               static_cast<double>(range_.max - range_.min);
    }
    [[nodiscard]] const PriceSpan& range() const { return range_; }

    Frame frame;

  private:
    PriceSpan range_;
    std::int64_t begin_ms_;
    std::int64_t end_ms_;
};

/// The prices as one line of steps.
SvgPath steps_path(const PriceDrawing& drawing, const PriceScale& scale) {
    const PriceSeries& series = drawing.series;
    SvgPath path;
    path.move_to(scale.x(series.start_ms[0]), scale.y(series.rate[0]));
    for (std::size_t i = 1; i < series.size() && series.start_ms[i] < drawing.end.count(); ++i)
        path.across_to(scale.x(series.start_ms[i])).down_to(scale.y(series.rate[i]));
    path.across_to(scale.x(drawing.end.count()));
    return path;
}

} // namespace

std::vector<PriceSpan> price_spans(const PriceDrawing& drawing, std::size_t columns) {
    assert(drawing.series.is_valid() && columns >= 1);
    const PriceSeries& series = drawing.series;
    const std::int64_t begin_ms = series.start_ms.front();
    const std::int64_t length_ms = drawing.end.count() - begin_ms;
    assert(length_ms > 0);
    std::vector<PriceSpan> spans;
    std::size_t step = 0;
    for (std::size_t column = 0; column < columns; ++column) {
        // Its first price holds where it begins; those that begin inside it are its others.
        const auto next = static_cast<std::int64_t>(int128{length_ms} * (column + 1) / columns);
        PriceSpan span{series.rate[step], series.rate[step]};
        while (step + 1 < series.size() && series.start_ms[step + 1] < begin_ms + next) {
            ++step;
            span.min = std::min(span.min, series.rate[step]);
            span.max = std::max(span.max, series.rate[step]);
        }
        spans.push_back(span);
        if (step + 1 < series.size() && series.start_ms[step + 1] == begin_ms + next)
            ++step;
    }
    return spans;
}

void put_price_chart(const PriceDrawing& drawing, std::size_t width, TextSink& sink) {
    assert(width >= 40);
    const std::size_t columns = width - axis_width - 2;
    const PriceSpan range = drawn_range(drawing);
    std::vector<std::string> rows(chart_rows, std::string(columns, ' '));
    if (drawing.line)
        rows[row_of(drawing.line->count(), range)].assign(columns, '-');
    const std::vector<PriceSpan> spans = price_spans(drawing, columns);
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t high = row_of(spans[column].max, range);
        const std::size_t low = row_of(spans[column].min, range);
        for (std::size_t row = high; row <= low; ++row)
            rows[row][column] = high == low ? '*' : '|';
    }
    sink.put(drawing.title + "\n");
    for (std::size_t row = 0; row < chart_rows; ++row) {
        const bool labelled = row == 0 || row + 1 == chart_rows;
        const std::string label =
            labelled ? fmt::format("{:.4g}", usd(row == 0 ? range.max : range.min)) : "";
        while (!rows[row].empty() && rows[row].back() == ' ')
            rows[row].pop_back();
        sink.put(fmt::format("{:>{}} |{}\n", label, axis_width, rows[row]));
    }
    sink.put(fmt::format("{:>{}} +{}\n", drawing.unit, axis_width, std::string(columns, '-')));
    const std::string begin = instant(drawing, drawing.series.start_ms.front());
    const std::string end = instant(drawing, drawing.end.count());
    sink.put(fmt::format("{:{}}{}{:>{}}\n",
                         "",
                         axis_width + 2,
                         begin,
                         end,
                         std::max(columns - std::min(columns, begin.size()), end.size() + 1)));
    if (drawing.line)
        sink.put(fmt::format("{:{}}- - {}\n", "", axis_width + 2, line_label(drawing)));
}

void put_price_svg(const PriceDrawing& drawing, TextSink& sink) {
    const PriceScale scale{drawing};
    const Frame& frame = scale.frame;
    const double bottom = frame.top + frame.height;
    const double right = frame.left + frame.width;
    SvgWriter svg{{.title = drawing.title, .width = 920, .height = 360}, sink};
    svg.style(style);
    svg.ground("#ffffff");
    svg.text(frame.left, 28, drawing.title, "title");
    svg.path(SvgPath{}.move_to(frame.left, frame.top).down_to(bottom).across_to(right), "axis");
    for (const std::int64_t price : {scale.range().min, scale.range().max})
        svg.text(frame.left - 6,
                 scale.y(price) + 4,
                 fmt::format("{:.4g}", usd(price)),
                 "",
                 SvgAnchor::end);
    svg.text(frame.left, frame.top - 8, drawing.unit);
    svg.text(frame.left, bottom + 18, instant(drawing, drawing.series.start_ms.front()));
    svg.text(right, bottom + 18, instant(drawing, drawing.end.count()), "", SvgAnchor::end);
    if (drawing.line) {
        const double y = scale.y(drawing.line->count());
        svg.line(frame.left, y, right, y, "line");
        svg.text(right, bottom + 34, "dashed: " + line_label(drawing), "", SvgAnchor::end);
    }
    svg.path(steps_path(drawing, scale), "price");
    svg.end();
}

}} // namespace bursar::reports
