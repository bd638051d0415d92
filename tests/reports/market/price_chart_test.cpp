#include <doctest/doctest.h>

#include "reports/market/price_chart.hpp"

namespace bursar::price_chart_test {
namespace {

/// Ten hours: 1 USD, from 5 h on 3 USD, from 8 h on 2 USD.
PriceDrawing ten_hours() {
    PriceDrawing drawing;
    drawing.title = "a & b";
    drawing.unit = "USD/h";
    drawing.series = {{0, 5 * hour.count(), 8 * hour.count()},
                      {1'000'000'000, 3'000'000'000, 2'000'000'000}};
    drawing.end = 10 * hour;
    return drawing;
}

std::string chart_of(const PriceDrawing& drawing) {
    StringSink sink;
    put_price_chart(drawing, 42, sink);
    return std::string{sink.text()};
}

std::string svg_of(const PriceDrawing& drawing) {
    StringSink sink;
    put_price_svg(drawing, sink);
    return std::string{sink.text()};
}

} // namespace

TEST_CASE("the prices in each part of the time") {
    const std::vector<PriceSpan> halves = price_spans(ten_hours(), 2);
    REQUIRE(halves.size() == 2);
    CHECK(halves[0].max == 1'000'000'000);
    CHECK(halves[1].min == 2'000'000'000);
    CHECK(halves[1].max == 3'000'000'000);
    const std::vector<PriceSpan> thirds = price_spans(ten_hours(), 3);
    CHECK(thirds[1].min == 1'000'000'000);
    CHECK(thirds[1].max == 3'000'000'000);
    CHECK(thirds[2].min == 2'000'000'000);
    CHECK(price_spans(ten_hours(), 1000).size() == 1000);
}

TEST_CASE("prices as a chart of text") {
    PriceDrawing drawing = ten_hours();
    drawing.line = MoneyRate{4'000'000'000};
    drawing.line_name = "on demand";
    CHECK(chart_of(drawing) == "a & b\n"
                               "         4 |------------------------------\n"
                               "           |\n"
                               "           |\n"
                               "           |               *********\n"
                               "           |\n"
                               "           |\n"
                               "           |                        ******\n"
                               "           |\n"
                               "           |\n"
                               "         1 |***************\n"
                               "     USD/h +------------------------------\n"
                               "            0.0 h                   10.0 h\n"
                               "            - - on demand 4 USD/h\n");
}

TEST_CASE("a price that never changes, and dates") {
    PriceDrawing drawing = ten_hours();
    drawing.series = {{0}, {2'000'000'000}};
    drawing.dated = true;
    const std::string chart = chart_of(drawing);
    CHECK(chart.find("******************************\n") != std::string::npos);
    CHECK(chart.find("1970-01-01 00:00:00Z") != std::string::npos);
}

TEST_CASE("prices as an SVG document") {
    const std::string svg = svg_of(ten_hours());
    CHECK(svg.find("<title>a &amp; b</title>") != std::string::npos);
    // 820 wide from 70, 260 high from 50: 5 h is at 480, 8 h at 726; 2 USD halfway down.
    CHECK(svg.find("d=\"M70 310H480V50H726V180H890\"") != std::string::npos);
    CHECK(svg.find("class=\"line\"") == std::string::npos);
}

} // namespace bursar::price_chart_test
