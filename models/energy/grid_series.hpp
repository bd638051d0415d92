#pragma once

#include "models/energy/metered.hpp"
#include "models/market/price_series.hpp"

namespace bursar { inline namespace models {

/// The intensity of a grid over time: a PriceSeries whose rates are milligrams of CO2e per kWh. The
/// cost of holding GPUs at it is their GridTime; the exact arithmetic of prices serves both.
using GridSeries = PriceSeries;

}} // namespace bursar::models
