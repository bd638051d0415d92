#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "scenarios/market/prices/price_file.hpp"

namespace bursar { inline namespace scenarios {

class ByteSource;
class PriceBuilder;

/// What a column of a price table holds.
enum class PriceField : std::uint8_t { time, type, region, zone, product, gpus, price };

/// One column of a table of prices.
struct PriceColumn {
    PriceField field{};
    std::string_view name; ///< in the header line
    bool tells{};          ///< a file must have it, and all of them tell the format
    /// What the price buys; empty: the file does not say.
    std::string_view purchase{};
    /// The price is for so many hours.
    std::int64_t hours{1};
};

/// A file of prices: a table of columns, or a function of its own.
struct PriceFormat {
    std::string_view name;
    std::string_view summary; ///< whose it is and what a row stands for
    std::span<const PriceColumn> columns{};
    PricedThing thing{PricedThing::machine};
    bool rows_are_changes{}; ///< see PriceFile
    /// Does a file begin like this? Null: its columns tell.
    bool (*begins_like)(std::string_view beginning){};
    /// Feeds the whole file to the builder; null: its columns are read.
    void (*read)(ByteSource& bytes, PriceBuilder& prices){};
};

}} // namespace bursar::scenarios
