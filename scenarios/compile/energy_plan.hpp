#pragma once

#include <string>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar::inline scenarios {

/// What was said, and taken for granted, of the energy of a fleet.
struct EnergyNotes {
    std::vector<std::string> assumed;
    std::vector<std::string> unmodelled;
};

/// Writes what each pool's GPUs draw into `plan`, where the scenario asks for energy; what a pool
/// does not say, `energy` of the scenario says, else its cost of ownership, else the catalogues.
///
/// Throws ScenarioError where a GPU's power is not known, where it is more than max_drawn_power,
/// and where some pools have a grid and others have none: their carbon would be left out.
EnergyNotes plan_energy(const Scenario& scenario, const Catalogue& catalogue, Plan& plan);

} // namespace bursar::inline scenarios
