#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/market/price_series.hpp"

#include "reports/text/text_sink.hpp"

namespace bursar { inline namespace reports {

/// A series of prices to be drawn from its first step until `end`.
struct PriceDrawing {
    std::string title;
    std::string unit;              ///< of the prices: "USD/h"
    PriceSeries series;            ///< valid
    Duration end;                  ///< after its first step
    bool dated{};                  ///< times are instants since 1970 in UTC, else since a zero
    std::optional<MoneyRate> line; ///< drawn across: the price on demand, or a bid
    std::string line_name;         ///< "on demand"
};

/// The lowest and the highest price in each of `columns` equal parts of the time.
struct PriceSpan {
    std::int64_t min{};
    std::int64_t max{};
};
[[nodiscard]] std::vector<PriceSpan> price_spans(const PriceDrawing& drawing, std::size_t columns);

/// A chart of `width` columns for people, 40 or more: one mark a price, a bar where it changed
/// within a column, dashes for the line. Prices from the lowest to the highest drawn, not from
/// zero, which the axis shows.
void put_price_chart(const PriceDrawing& drawing, std::size_t width, TextSink& sink);

/// The same as an SVG document, every step in its place. It needs no font, script or style from
/// outside.
void put_price_svg(const PriceDrawing& drawing, TextSink& sink);

}} // namespace bursar::reports
