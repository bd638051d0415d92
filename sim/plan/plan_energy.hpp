#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/energy/metered.hpp"

namespace bursar { inline namespace sim {

/// Power of the GPUs of a pool, and the carbon that follows from it. The engine does not read it.
struct PlanEnergy {
    DrawnPower idle{};                   ///< at most `busy`
    DrawnPower busy{};                   ///< at most max_drawn_power
    std::int64_t pue_milli{};            ///< included in `idle` and `busy`, >= 1000
    std::optional<GridIntensity> grid{}; ///< absent: carbon is not requested
    std::string grid_name{};             ///< where it has one
    EmbodiedRate embodied{};             ///< per paid time; 0: not requested

    bool operator==(const PlanEnergy&) const = default;
};

}} // namespace bursar::sim
