#include "reports/charts/chart_data.hpp"

#include <concepts>

#include <fmt/format.h>

#include "reports/text/escape.hpp"

namespace bursar::inline reports {
namespace {

/// Objects and arrays in one line. A comma stands before whatever follows something.
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
        json.key("values").open('[');
        for (const double value : layer.values)
            json.number(value);
        json.close(']').close('}');
    }
    return json.close(']').close('}').take();
}

} // namespace bursar::inline reports
