#include "reports/charts/chart_data.hpp"

#include <cmath>
#include <concepts>

#include <fmt/format.h>

#include "reports/text/escape.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Writes objects and arrays in one line, with commas between elements.
class LineJson {
  public:
    LineJson& open(char bracket) {
        separate();
        out_ += bracket;
        is_first_ = true;
        return *this;
    }
    LineJson& close(char bracket) {
        out_ += bracket;
        is_first_ = false;
        return *this;
    }
    LineJson& key(std::string_view name) {
        text(name);
        out_ += ':';
        is_first_ = true; // no comma before its value
        return *this;
    }
    LineJson& text(std::string_view value) {
        separate();
        StringSink sink;
        put_json_string(sink, terminal_text(valid_utf8(value)));
        for (const char c : sink.text())
            out_ += c == '<' ? std::string{"\\u003c"} : std::string{c};
        return *this;
    }
    LineJson& number(double value) {
        separate();
        out_ += fmt::format("{:.6g}", value);
        return *this;
    }
    /// In full: milliseconds of a long run have more digits than a picture needs.
    LineJson& instant(double value) {
        separate();
        out_ += fmt::format("{:.0f}", value);
        return *this;
    }
    LineJson& boolean(bool value) {
        separate();
        out_ += value ? "true" : "false";
        return *this;
    }
    LineJson& nothing() {
        separate();
        out_ += "null";
        return *this;
    }
    std::string take() { return std::move(out_); }

  private:
    void separate() {
        if (!is_first_)
            out_ += ',';
        is_first_ = false;
    }

    std::string out_;
    bool is_first_{true};
};

void put_place(LineJson& json, const Axis& axis, double value) {
    if (axis.is_time)
        json.instant(value);
    else
        json.number(value);
}

void put_axis(LineJson& json, std::string_view name, const Axis& axis) {
    json.key(name).open('{').key("title").text(axis.title).key("min");
    put_place(json, axis, axis.min);
    json.key("max");
    put_place(json, axis, axis.max);
    json.key("log").boolean(axis.is_log).key("is_time").boolean(axis.is_time);
    if (axis.zero_utc_ms)
        json.key("zero").instant(static_cast<double>(*axis.zero_utc_ms));
    json.key("ticks").open('[');
    for (const Tick& tick : axis.ticks) {
        json.open('[');
        put_place(json, axis, tick.at);
        json.text(tick.label).close(']');
    }
    json.close(']').close('}');
}

void put_legend(LineJson& json, const std::vector<LegendEntry>& legend) {
    json.key("legend").open('[');
    for (const LegendEntry& entry : legend)
        json.open('{').key("name").text(entry.label).key("colour").text(entry.colour).close('}');
    json.close(']');
}

void put_texts(LineJson& json, std::string_view name, const std::vector<std::string>& texts) {
    json.key(name).open('[');
    for (const std::string& text : texts)
        json.text(text);
    json.close(']');
}

void put_numbers(LineJson& json, std::string_view name, const std::vector<double>& numbers) {
    json.key(name).open('[');
    for (const double number : numbers)
        json.number(number);
    json.close(']');
}

/// Opens a row with a name and a value.
template <typename Row>
LineJson& open_row(LineJson& json, const Row& row) {
    return json.open('{').key("name").text(row.label).key("value").text(row.value);
}

void put_end(LineJson& json, std::string_view name, std::optional<double> end) {
    json.key(name);
    if (end)
        json.number(*end);
    else
        json.nothing();
}

} // namespace

std::string chart_data(const LineChart& chart) {
    LineJson json;
    json.open('{').key("kind").text("lines");
    put_axis(json, "x", chart.x);
    put_axis(json, "y", chart.y);
    json.key("steps").boolean(chart.kind == LineKind::steps).key("series").open('[');
    for (const ChartLine& line : chart.lines) {
        const std::string& name = line.label.empty() ? chart.y.title : line.label;
        json.open('{').key("name").text(name).key("colour").text(line.colour);
        json.key("points").open('[');
        for (const auto& [x, y] : line.points) {
            json.open('[');
            put_place(json, chart.x, x);
            json.number(y).close(']');
        }
        json.close(']').close('}');
    }
    return json.close(']').close('}').take();
}

std::string chart_data(const StackedChart& chart) {
    LineJson json;
    json.open('{').key("kind").text("stack");
    put_axis(json, "x", chart.x);
    put_axis(json, "y", chart.y);
    json.key("from").open('[');
    for (const double from : chart.from)
        put_place(json, chart.x, from);
    json.close(']').key("layers").open('[');
    for (const ChartLayer& layer : chart.layers) {
        json.open('{').key("name").text(layer.label).key("colour").text(layer.colour);
        put_numbers(json, "values", layer.values);
        json.close('}');
    }
    return json.close(']').close('}').take();
}

std::string chart_data(const BarChart& chart) {
    LineJson json;
    json.open('{').key("kind").text("bars");
    put_axis(json, "x", chart.x);
    json.key("rows").open('[');
    for (const ChartBar& bar : chart.bars)
        open_row(json, bar)
            .key("colour")
            .text(bar.colour)
            .key("from")
            .number(bar.from)
            .key("to")
            .number(bar.to)
            .close('}');
    return json.close(']').close('}').take();
}

std::string chart_data(const SankeyChart& chart) {
    LineJson json;
    json.open('{').key("kind").text("flows").key("parts").open('[');
    for (const SankeyPart& part : chart.parts)
        open_row(json, part)
            .key("colour")
            .text(part.colour)
            .key("size")
            .number(part.size)
            .key("column")
            .number(static_cast<double>(part.column))
            .key("from")
            .number(static_cast<double>(part.from))
            .close('}');
    return json.close(']').close('}').take();
}

std::string chart_data(const IntervalChart& chart) {
    LineJson json;
    json.open('{').key("kind").text("intervals");
    put_axis(json, "x", chart.x);
    json.key("rows").open('[');
    for (const ChartInterval& row : chart.rows) {
        open_row(json, row).key("colour").text(row.colour).key("at").number(row.at);
        put_end(json, "low", row.low);
        put_end(json, "high", row.high);
        json.close('}');
    }
    return json.close(']').close('}').take();
}

std::string chart_data(const ScatterChart& chart) {
    LineJson json;
    json.open('{').key("kind").text("points");
    put_axis(json, "x", chart.x);
    put_axis(json, "y", chart.y);
    put_legend(json, chart.legend);
    json.key("points").open('[');
    for (const ScatterPoint& point : chart.points)
        json.open('[')
            .number(point.x)
            .number(point.y)
            .text(point.colour)
            .text(point.label)
            .boolean(point.is_named)
            .close(']');
    json.close(']').key("front").open('[');
    for (const std::size_t place : chart.front)
        json.number(static_cast<double>(place));
    json.close(']').key("clouds").open('[');
    for (const ScatterCloud& cloud : chart.clouds) {
        json.open('{').key("colour").text(cloud.classes).key("name").text(cloud.name);
        json.key("at").open('[');
        for (const auto& [x, y] : cloud.at)
            json.open('[').number(x).number(y).close(']');
        json.close(']').close('}');
    }
    json.close(']').key("edges").open('[');
    for (const ScatterEdge& edge : chart.edges) {
        json.open('{').key("colour").text(edge.colour).key("name").text(edge.name);
        put_numbers(json, "top", edge.at_top);
        put_numbers(json, "right", edge.at_right);
        json.close('}');
    }
    return json.close(']').key("diagonal").boolean(chart.has_diagonal).close('}').take();
}

std::string chart_data(const ParallelChart& chart) {
    LineJson json;
    json.open('{').key("kind").text("parallel");
    put_legend(json, chart.legend);
    json.key("axes").open('[');
    for (const ParallelAxis& axis : chart.axes) {
        json.open('{').key("title").text(axis.title).key("ticks").open('[');
        for (const Tick& tick : axis.ticks)
            json.open('[').number(tick.at).text(tick.label).close(']');
        json.close(']').close('}');
    }
    json.close(']').key("lines").open('[');
    for (const ParallelLine& line : chart.lines) {
        json.open('{').key("name").text(line.label).key("colour").text(line.colour);
        put_numbers(json, "at", line.at);
        json.close('}');
    }
    return json.close(']').close('}').take();
}

std::string chart_data(const GanttChart& chart) {
    LineJson json;
    json.open('{').key("kind").text("spans");
    put_axis(json, "x", chart.x);
    put_legend(json, chart.legend);
    json.key("rows").open('[');
    for (const ChartRow& row : chart.rows) {
        open_row(json, row).key("lanes").number(static_cast<double>(row.lanes));
        json.key("spans").open('[');
        for (const ChartSpan& span : row.spans) {
            json.open('[');
            put_place(json, chart.x, span.begin);
            put_place(json, chart.x, span.end);
            json.text(span.colour).text(span.tip);
            json.number(static_cast<double>(span.lane));
            json.number(static_cast<double>(span.lanes)).close(']');
        }
        json.close(']').close('}');
    }
    return json.close(']').close('}').take();
}

std::string chart_data(const HeatMap& map) {
    LineJson json;
    json.open('{').key("kind").text("map").key("title").text(map.x_title);
    put_legend(json, heat_map_legend(map));
    put_texts(json, "columns", map.columns);
    put_texts(json, "names", map.column_names.empty() ? map.columns : map.column_names);
    put_texts(json, "rows", map.rows);
    json.key("shades").open('[');
    for (const std::optional<double>& share : map.cells)
        if (share)
            json.number(static_cast<double>(heat_shade(*share)));
        else
            json.nothing();
    json.close(']');
    if (map.shades.empty()) { // shares are what cells are
        json.key("unit").text(map.unit).key("percent").open('[');
        for (const std::optional<double>& share : map.cells)
            json.number(share ? std::round(1000 * *share) / 10 : 0);
        json.close(']');
    }
    return json.close('}').take();
}

}} // namespace bursar::reports
