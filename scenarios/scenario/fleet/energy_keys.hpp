#pragma once

#include <optional>
#include <string_view>

#include "scenarios/catalog/carbon.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/fleet/energy_spec.hpp"

namespace bursar { inline namespace scenarios {

/// The grid of a cloud region of the carbon catalogue.
[[nodiscard]] GridSpec grid_of(const CarbonSite& site);

/// What stands under `energy`, of the scenario or of a pool.
Table<EnergySpec> energy_keys();

}} // namespace bursar::scenarios
