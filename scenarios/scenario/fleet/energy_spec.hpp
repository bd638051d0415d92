#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "models/energy/metered.hpp"
#include "models/units/units.hpp"

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/market/grid/grid_file.hpp"

namespace bursar { inline namespace scenarios {

/// The grid that a pool draws from.
struct GridSpec {
    GridIntensity intensity;  ///< at most max_grid_intensity; of a file that of its first step
    std::string region{};     ///< of the carbon catalogue; empty: the scenario states the intensity
    std::string source{};     ///< of a region: who says so, and for when
    std::int64_t pue_milli{}; ///< of a region: its provider's
    std::shared_ptr<const GridFile> file{}; ///< null: it is constant
};

/// What making one GPU emitted, with its share of the node.
struct EmbodiedSpec {
    std::int64_t grams{};
    Duration life{}; ///< over which it is spread, at least a day
};

/// What GPUs draw and what comes of it, as far as the scenario says it: key `energy`.
struct EnergySpec {
    std::optional<std::int64_t> idle_milliwatts; ///< per GPU, its share of the node included
    std::optional<std::int64_t> busy_milliwatts; ///< likewise
    std::optional<std::int64_t> pue_milli;       ///< >= 1000
    std::optional<GridSpec> grid;
    std::optional<EmbodiedSpec> embodied;
    Place place{};
};

}} // namespace bursar::scenarios
