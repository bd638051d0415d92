#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
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
    bool identifies{};     ///< a file must have it; all such columns together identify the format
    /// What the price buys; empty: the file does not say.
    std::string_view purchase{};
    /// Length that the price is for, in hours.
    std::int64_t hours{1};
};

/// A format of price files: a table of columns, or a function that reads it.
struct PriceFormat {
    std::string_view name;
    std::string_view summary; ///< its publisher and the meaning of a row
    std::span<const PriceColumn> columns{};
    PricedThing thing{PricedThing::machine};
    bool rows_are_changes{}; ///< see PriceFile
    /// Does a file begin like this? Null: recognised by its columns.
    bool (*begins_like)(std::string_view beginning){};
    /// Feeds the whole file to the builder; null: its columns are read.
    void (*read)(ByteSource& bytes, PriceBuilder& prices){};
};

/// The columns that identify the format, with commas between.
std::string identifying_columns(const PriceFormat& format);

/// Feeds a table with a header line to the builder. Throws ScenarioError for a column that is
/// missing.
void read_price_table(const PriceFormat& format, ByteSource& bytes, PriceBuilder& prices);

/// The answer of `aws ec2 describe-spot-price-history`: newest first, prices as strings, every
/// price for the whole machine; several zones and products in one file.
void read_aws_spot_history(ByteSource& bytes, PriceBuilder& prices);
bool is_aws_spot_history(std::string_view beginning);

/// A column `Date` and one per machine, a manual record of Azure's spot prices: dollar signs in the
/// cells, American dates, an empty cell on days when a machine was not on offer.
void read_azure_wide(ByteSource& bytes, PriceBuilder& prices);
bool is_azure_wide(std::string_view beginning);

/// The list of ec2instances.info: a day's on-demand and reserved prices by type, region and
/// operating system. Prices are strings; "N/A" is not on offer.
void read_ec2instances(ByteSource& bytes, PriceBuilder& prices);
bool is_ec2instances(std::string_view beginning);

}} // namespace bursar::scenarios
