#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/prices/price_format.hpp"

namespace bursar { inline namespace scenarios {

/// All formats of price files, in the order in which they are tried on one.
std::span<const PriceFormat> price_formats();

/// The format that `name` spells; null if there is none.
const PriceFormat* find_price_format(std::string_view name);

/// What to say of a name that is none: suggests the nearest.
Finding not_a_price_format(std::string_view name);

/// The first format that fits the beginning of a file. Throws ScenarioError when none does.
const PriceFormat& recognise_price_format(std::string_view beginning, const std::string& file);

}} // namespace bursar::scenarios
