#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// If the scenario asks for energy, writes each pool's power per GPU into the plan, and its grid if
/// that changes with time. A value that a pool does not state comes from `energy` of the scenario,
/// then from its cost of ownership, then from the catalogues.
///
/// Throws ScenarioError for a GPU without a known power, for one above max_drawn_power, if only
/// some pools have a grid (the carbon of the others would be left out), and for a dated grid with a
/// workload that has no date.
void plan_energy(const CompileInput& input, Compiled& compiled);

/// Assumptions about energy, carbon that is left out, and findings about files of grids.
[[nodiscard]] Notes energy_notes(const CompileInput& input, const Compiled& compiled);

/// Notes for grids whose file does not cover a run that ends at `end`.
[[nodiscard]] Notes
run_notes_of_grids(const Scenario& scenario, std::optional<std::int64_t> zero_utc_ms, Duration end);

}} // namespace bursar::scenarios
