#pragma once

#include "models/energy/metered.hpp"
#include "models/market/price_series.hpp"

namespace bursar { inline namespace models {

/// The intensity of a grid over time: steps as a PriceSeries has them, whose rates are milligrams
/// of CO2e per kWh. What holding GPUs costs at such a price is, in another unit, the GridTime of
/// it: the arithmetic of prices, exact, serves both.
using GridSeries = PriceSeries;

}} // namespace bursar::models
