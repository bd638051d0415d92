#pragma once

#include <vector>

#include "models/units/physics.hpp"

/// Greenhouse gas of electricity and of making computers, as CO2 equivalents (FORMULAS 8).
namespace bursar { inline namespace models {

using CarbonMass = Quantity<struct CarbonGramTag, double>;            ///< g CO2e
using CarbonIntensity = Quantity<struct CarbonGramPerKwhTag, double>; ///< g CO2e / kWh of a grid

inline constexpr double grams_per_tonne = 1e6;

/// Emissions of `energy` from a grid of one intensity.
constexpr CarbonMass operator*(Energy energy, CarbonIntensity intensity) {
    return CarbonMass{energy.count() / joules_per_kwh * intensity.count()};
}

/// Emissions of a constant power over a run on a grid whose intensity is known by hour of the run.
///
/// hours: intensity of hour 0, 1, ... since the start, none negative; the series repeats for a
/// longer run, so that 24 values are a typical day. power, time: not negative. Throws ModelError
/// for values out of range and for an empty series.
[[nodiscard]] CarbonMass
hourly_emissions(Power power, Seconds time, const std::vector<CarbonIntensity>& hours);

/// Hardware whose making is charged to those who use it.
struct EmbodiedCarbon {
    CarbonMass to_make; ///< of one device, >= 0
    Seconds lifetime;   ///< > 0
    double busy_share{
        1}; ///< share of its lifetime in use: the unused time is charged to the used, (0, 1]
};

/// time / (lifetime · busy_share) · to_make: the share of one device used for `time`. time: not
/// negative; more than a lifetime uses up more than one device. Throws ModelError for values out of
/// range.
/// Source: the method of Luccioni et al., arXiv:2211.02001 section 4.1.
[[nodiscard]] CarbonMass embodied_emissions(Seconds time, const EmbodiedCarbon& device);

}} // namespace bursar::models
