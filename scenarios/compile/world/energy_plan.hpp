#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/energy/grid_series.hpp"

#include "sim/plan/plan.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// What was said, and taken for granted, of the energy of a fleet.
struct EnergyNotes {
    std::vector<std::string> assumed;
    std::vector<std::string> unmodelled;
    std::vector<std::string> warnings; ///< what was noticed in files of grids
    /// By pool, in scenario time; one without steps is constant (PlanEnergy::grid). Empty: all are.
    std::vector<GridSeries> grids;
};

/// Writes what each pool's GPUs draw into `plan`, where the scenario asks for energy; what a pool
/// does not say, `energy` of the scenario says, else its cost of ownership, else the catalogues.
///
/// Throws ScenarioError where a GPU's power is not known, where it is more than max_drawn_power,
/// and where some pools have a grid and others have none: their carbon would be left out.
/// Also for a dated grid where the workload has no date; zero_utc_ms: that of the run's zero.
EnergyNotes plan_energy(const Scenario& scenario,
                        const Catalogue& catalogue,
                        std::optional<std::int64_t> zero_utc_ms,
                        Plan& plan);

/// Where a run that ended at `end` went on before or behind what the files of its grids know.
[[nodiscard]] std::vector<std::string>
assumed_grids(const Scenario& scenario, std::optional<std::int64_t> zero_utc_ms, Duration end);

/// Warnings where a run that ends at `end` lies mostly, or altogether, outside the times of a file.
[[nodiscard]] std::vector<std::string>
grid_warnings(const Scenario& scenario, std::optional<std::int64_t> zero_utc_ms, Duration end);

}} // namespace bursar::scenarios
