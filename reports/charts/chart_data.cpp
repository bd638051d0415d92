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
    /// A member of an object.
    LineJson& text(std::string_view name, std::string_view value) { return key(name).text(value); }
    LineJson& number(std::string_view name, double value) { return key(name).number(value); }
    LineJson& boolean(std::string_view name, bool value) { return key(name).boolean(value); }
    /// A member that is an array; `put(item)` writes each of its elements.
    template <class Items, class Put>
    LineJson& list(std::string_view name, const Items& items, const Put& put) {
        key(name).open('[');
        for (const auto& item : items)
            put(item);
        return close(']');
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
    json.key(name).open('{').text("title", axis.title).key("min");
    put_place(json, axis, axis.min);
    json.key("max");
    put_place(json, axis, axis.max);
    json.boolean("log", axis.is_log).boolean("is_time", axis.is_time);
    if (axis.zero_utc_ms)
        json.key("zero").instant(static_cast<double>(*axis.zero_utc_ms));
    json.list("ticks", axis.ticks, [&](const Tick& tick) {
        json.open('[');
        put_place(json, axis, tick.at);
        json.text(tick.label).close(']');
    });
    json.close('}');
}

void put_legend(LineJson& json, const std::vector<LegendEntry>& legend) {
    json.list("legend", legend, [&](const LegendEntry& entry) {
        json.open('{').text("name", entry.label).text("colour", entry.colour).close('}');
    });
}

void put_texts(LineJson& json, std::string_view name, const std::vector<std::string>& texts) {
    json.list(name, texts, [&](const std::string& text) { json.text(text); });
}

template <class Number>
void put_numbers(LineJson& json, std::string_view name, const std::vector<Number>& numbers) {
    json.list(name, numbers, [&](Number number) { json.number(static_cast<double>(number)); });
}

/// Points as [x, y] in the places of two axes, of which the second is no time.
void put_points(LineJson& json,
                std::string_view name,
                const std::vector<std::pair<double, double>>& points,
                const Axis& x_axis) {
    json.list(name, points, [&](const std::pair<double, double>& point) {
        json.open('[');
        put_place(json, x_axis, point.first);
        json.number(point.second).close(']');
    });
}

/// Opens a row with a name and a value.
template <typename Row>
LineJson& open_row(LineJson& json, const Row& row) {
    return json.open('{').text("name", row.label).text("value", row.value);
}

void put_end(LineJson& json, std::string_view name, std::optional<double> end) {
    json.key(name);
    end ? json.number(*end) : json.nothing();
}

} // namespace

std::string chart_data(const LineChart& chart) {
    LineJson json;
    json.open('{').text("kind", "lines");
    put_axis(json, "x", chart.x);
    put_axis(json, "y", chart.y);
    json.boolean("steps", chart.kind == LineKind::steps);
    json.list("series", chart.lines, [&](const ChartLine& line) {
        json.open('{').text("name", line.label.empty() ? chart.y.title : line.label);
        json.text("colour", line.colour);
        put_points(json, "points", line.points, chart.x);
        json.close('}');
    });
    return json.close('}').take();
}

std::string chart_data(const StackedChart& chart) {
    LineJson json;
    json.open('{').text("kind", "stack");
    put_axis(json, "x", chart.x);
    put_axis(json, "y", chart.y);
    json.list("from", chart.from, [&](double from) { put_place(json, chart.x, from); });
    json.list("layers", chart.layers, [&](const ChartLayer& layer) {
        json.open('{').text("name", layer.label).text("colour", layer.colour);
        put_numbers(json, "values", layer.values);
        json.close('}');
    });
    return json.close('}').take();
}

std::string chart_data(const BarChart& chart) {
    LineJson json;
    json.open('{').text("kind", "bars");
    put_axis(json, "x", chart.x);
    json.list("rows", chart.bars, [&](const ChartBar& bar) {
        open_row(json, bar).text("colour", bar.colour);
        json.number("from", bar.from).number("to", bar.to).close('}');
    });
    return json.close('}').take();
}

std::string chart_data(const SankeyChart& chart) {
    LineJson json;
    json.open('{').text("kind", "flows").list("parts", chart.parts, [&](const SankeyPart& part) {
        open_row(json, part).text("colour", part.colour).number("size", part.size);
        json.number("column", static_cast<double>(part.column));
        json.number("from", static_cast<double>(part.from)).close('}');
    });
    return json.close('}').take();
}

namespace {

void put_guide(LineJson& json, std::string_view name, const std::optional<ChartGuide>& guide) {
    if (guide)
        json.key(name).open('{').number("at", guide->at).text("name", guide->label).close('}');
}

} // namespace

std::string chart_data(const IntervalChart& chart) {
    LineJson json;
    json.open('{').text("kind", "intervals");
    put_axis(json, "x", chart.x);
    json.list("rows", chart.rows, [&](const ChartInterval& row) {
        open_row(json, row).text("colour", row.colour).number("at", row.at);
        put_end(json, "low", row.low);
        put_end(json, "high", row.high);
        json.close('}');
    });
    put_guide(json, "guide", chart.guide);
    return json.close('}').take();
}

std::string chart_data(const ScatterChart& chart) {
    LineJson json;
    json.open('{').text("kind", "points");
    put_axis(json, "x", chart.x);
    put_axis(json, "y", chart.y);
    put_legend(json, chart.legend);
    json.list("points", chart.points, [&](const ScatterPoint& point) {
        json.open('[').number(point.x).number(point.y);
        json.text(point.colour).text(point.label).boolean(point.is_named).close(']');
    });
    put_numbers(json, "front", chart.front);
    json.list("clouds", chart.clouds, [&](const ScatterCloud& cloud) {
        json.open('{').text("colour", cloud.classes).text("name", cloud.name);
        put_points(json, "at", cloud.at, {});
        json.close('}');
    });
    json.list("edges", chart.edges, [&](const ScatterEdge& edge) {
        json.open('{').text("colour", edge.colour).text("name", edge.name);
        put_numbers(json, "top", edge.at_top);
        put_numbers(json, "right", edge.at_right);
        json.close('}');
    });
    put_guide(json, "x_guide", chart.x_guide);
    put_guide(json, "y_guide", chart.y_guide);
    return json.boolean("diagonal", chart.has_diagonal).close('}').take();
}

std::string chart_data(const ParallelChart& chart) {
    LineJson json;
    json.open('{').text("kind", "parallel");
    put_legend(json, chart.legend);
    json.list("axes", chart.axes, [&](const ParallelAxis& axis) {
        json.open('{').text("title", axis.title).list("ticks", axis.ticks, [&](const Tick& tick) {
            json.open('[').number(tick.at).text(tick.label).close(']');
        });
        json.close('}');
    });
    json.list("lines", chart.lines, [&](const ParallelLine& line) {
        json.open('{').text("name", line.label).text("colour", line.colour);
        put_numbers(json, "at", line.at);
        json.close('}');
    });
    return json.close('}').take();
}

std::string chart_data(const GanttChart& chart) {
    LineJson json;
    json.open('{').text("kind", "spans");
    put_axis(json, "x", chart.x);
    put_legend(json, chart.legend);
    json.list("rows", chart.rows, [&](const ChartRow& row) {
        open_row(json, row).number("lanes", static_cast<double>(row.lanes));
        json.list("spans", row.spans, [&](const ChartSpan& span) {
            json.open('[');
            put_place(json, chart.x, span.begin);
            put_place(json, chart.x, span.end);
            json.text(span.colour).text(span.tip).number(static_cast<double>(span.lane));
            json.number(static_cast<double>(span.lanes)).close(']');
        });
        json.close('}');
    });
    return json.close('}').take();
}

std::string chart_data(const HeatMap& map) {
    LineJson json;
    json.open('{').text("kind", "map").text("title", map.x_title);
    put_legend(json, heat_map_legend(map));
    put_texts(json, "columns", map.columns);
    put_texts(json, "names", map.column_names.empty() ? map.columns : map.column_names);
    put_texts(json, "rows", map.rows);
    json.list("shades", map.cells, [&](const std::optional<double>& share) {
        share ? json.number(static_cast<double>(heat_shade(*share))) : json.nothing();
    });
    if (map.shades.empty()) // shares are what cells are
        json.text("unit", map.unit)
            .list("percent", map.cells, [&](const std::optional<double>& share) {
                json.number(share ? std::round(1000 * *share) / 10 : 0);
            });
    return json.close('}').take();
}

}} // namespace bursar::reports
