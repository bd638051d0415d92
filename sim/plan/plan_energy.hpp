#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/energy/metered.hpp"

namespace bursar { inline namespace sim {

/// What the GPUs of a pool draw, and what comes of it. The engine does not look at it.
struct PlanEnergy {
    DrawnPower idle;                     ///< at most `busy`
    DrawnPower busy;                     ///< at most max_drawn_power
    std::int64_t pue_milli{};            ///< in both, >= 1000
    std::optional<GridIntensity> grid{}; ///< absent: carbon is not asked for
    std::string grid_name{};             ///< where it has one
    EmbodiedRate embodied{};             ///< of the time that is paid for; 0: not asked for

    bool operator==(const PlanEnergy&) const = default;
};

}} // namespace bursar::sim
