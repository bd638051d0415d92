#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Writes what each pool's GPUs draw into the plan, and its grid where that changes with time,
/// where the scenario asks for energy. What a pool does not say, `energy` of the scenario says,
/// else its cost of ownership, else the catalogues.
///
/// Throws ScenarioError where a GPU's power is not known, where it is more than max_drawn_power,
/// where some pools have a grid and others have none (their carbon would be left out), and for a
/// dated grid where the workload has no date.
void plan_energy(const CompileInput& input, Compiled& compiled);

/// What is assumed of energy, what of carbon is left out, and what was noticed in files of grids.
[[nodiscard]] Notes energy_notes(const CompileInput& input, const Compiled& compiled);

/// Where a run that ends at `end` lies outside the times of the files of its grids.
[[nodiscard]] Notes
run_notes_of_grids(const Scenario& scenario, std::optional<std::int64_t> zero_utc_ms, Duration end);

}} // namespace bursar::scenarios
