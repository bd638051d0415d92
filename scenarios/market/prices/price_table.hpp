#pragma once

#include <string>

#include "scenarios/market/prices/price_format.hpp"

namespace bursar { inline namespace scenarios {

/// The columns whose presence tells the format, with commas between.
std::string telling_columns(const PriceFormat& format);

/// Feeds a table with a header line to the builder. Throws ScenarioError for a column that is
/// missing.
void read_price_table(const PriceFormat& format, ByteSource& bytes, PriceBuilder& prices);

}} // namespace bursar::scenarios
