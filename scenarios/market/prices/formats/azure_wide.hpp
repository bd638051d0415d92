#pragma once

#include <string_view>

#include "scenarios/market/prices/price_format.hpp"

namespace bursar { inline namespace scenarios {

/// A column `Date` and one per machine, as kept by hand of Azure's spot prices: dollar signs in the
/// cells, American dates, an empty cell where a machine was not on offer that day.
void read_azure_wide(ByteSource& bytes, PriceBuilder& prices);
bool is_azure_wide(std::string_view beginning);

}} // namespace bursar::scenarios
