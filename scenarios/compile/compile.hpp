#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/energy/grid_series.hpp"

#include "sim/plan/labels.hpp"
#include "sim/plan/plan.hpp"

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/training/modelled_gang.hpp"
#include "scenarios/compile/training/trained_classes.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// A scenario made ready to run: everything that needs strings, files or searching has happened.
struct Compiled {
    Plan plan;
    Labels labels;
    /// How far Plan::world and prices are drawn; absent: they need no draws.
    std::optional<Duration> drawn_until;
    /// The intensities of the pools' grids where some change with time: EnergyNotes::grids.
    std::vector<GridSeries> grids;
    std::vector<std::uint16_t> scenario_class; ///< by row of Plan::classes
    std::vector<TrainedGang> trained; ///< what classes with a model come to, by class and gang size
    std::vector<ModelledGang> modelled; ///< of them, what a run's result says
    std::vector<std::string> decisive;  ///< of what was assumed, that on which every figure rests
    /// What else was assumed beyond the scenario's own list, under some policies: assumed_under().
    std::vector<std::string> assumed;
    std::vector<std::string> unmodelled;  ///< likewise beyond the scenario's own list
    std::vector<std::string> warnings;    ///< rows left out under `on_bad_row: skip`, by line
    std::vector<std::string> trace_notes; ///< how many rows were read and selected, and as what
};

/// Compiles a scenario with its workload.
/// Throws ScenarioError for what only the two together can show: a job that no pool it may use
/// could ever hold (a skipped row under `on_bad_row: skip`), a submit time past the horizon, too
/// many pools, a model that no pool can train, a listed job with both a model and a duration or
/// neither.
Compiled compile(const Scenario& scenario, const Catalogue& catalogue, const Trace& trace);

}} // namespace bursar::scenarios
