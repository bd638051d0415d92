#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/prices/price_format.hpp"

namespace bursar { inline namespace scenarios {

/// All formats of price files, in the order in which they are tried on one.
std::span<const PriceFormat> price_formats();

/// The format of that name; null if there is none.
const PriceFormat* find_price_format(std::string_view name);

/// The mistake about an unknown name, with the nearest ones.
Finding not_a_price_format(std::string_view name);

/// The first format that fits the beginning of a file. Throws ScenarioError when none does.
const PriceFormat& recognise_price_format(std::string_view beginning, const std::string& file);

}} // namespace bursar::scenarios
