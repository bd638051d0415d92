#pragma once

#include <cstdint>

#include "models/market/price_series.hpp"
#include "models/units/units.hpp"

/// Energy and carbon of held GPUs in integers: exact, as time and dollars are.
namespace bursar { inline namespace models {

/// Power of one GPU with its share of the node and the building; milliwatts.
using DrawnPower = Quantity<struct MilliwattPerGpuTag, std::int64_t>;
/// Milliwatts times slot-milliseconds.
using DrawnEnergy = Quantity<struct MilliwattSlotMsTag, int128>;
/// Emissions of a grid; milligrams of CO2e per kWh.
using GridIntensity = Quantity<struct MilligramPerKwhTag, std::int64_t>;
/// Slot-milliseconds, each times the intensity of its grid at that instant.
using GridTime = Quantity<struct MilligramPerKwhSlotMsTag, int128>;
/// Emissions of manufacture, spread over the life of a GPU; nanograms per GPU-hour.
using EmbodiedRate = Quantity<struct NanogramPerGpuHourTag, std::int64_t>;
/// Nanograms per GPU-hour times slot-milliseconds, or milliwatts times milligrams per kWh times
/// slot-milliseconds: the same unit.
using EmittedCarbon = Quantity<struct NanogramSlotMsPerHourTag, int128>;

/// Limits within which sums over a fleet and a run fit into 128 bits.
inline constexpr DrawnPower max_drawn_power{10'000'000};             ///< 10 kW per GPU
inline constexpr GridIntensity max_grid_intensity{5'000'000};        ///< 5 kg per kWh
inline constexpr EmbodiedRate max_embodied_rate{42'000'000'000'000}; ///< a ton in a day
inline constexpr std::int64_t max_pue_milli = 10'000;

inline constexpr std::int64_t milliwatts_per_kilowatt = 1'000'000;
/// 3.6e15: the divisor from DrawnEnergy to kWh.
inline constexpr int128 drawn_energy_per_kwh =
    int128{milliwatts_per_kilowatt} * slot_ms_per_gpu_hour;
/// 3.6e18: the divisor from EmittedCarbon to grams.
inline constexpr int128 emitted_carbon_per_gram = 1000 * drawn_energy_per_kwh;

BURSAR_HD constexpr DrawnEnergy operator*(DrawnPower power, SlotTime time) {
    return DrawnEnergy{time.count() * power.count()};
}
BURSAR_HD constexpr GridTime operator*(GridIntensity intensity, SlotTime time) {
    return GridTime{time.count() * intensity.count()};
}
BURSAR_HD constexpr EmittedCarbon operator*(DrawnPower power, GridTime time) {
    return EmittedCarbon{time.count() * power.count()};
}
BURSAR_HD constexpr EmittedCarbon operator*(EmbodiedRate rate, SlotTime time) {
    return EmittedCarbon{time.count() * rate.count()};
}

/// The intensity of a grid over time: a PriceSeries whose rates are milligrams of CO2e per kWh. The
/// cost of holding GPUs at it is their GridTime; the exact arithmetic of prices serves both.
using GridSeries = PriceSeries;

}} // namespace bursar::models
