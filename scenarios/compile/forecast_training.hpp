#pragma once

#include <vector>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/training/trained_classes.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// What training models say of a workload before it is compiled.
struct TrainingForecast {
    std::vector<TrainedGang> gangs; ///< by class and size; without pools where a gang fits nowhere
    std::vector<Finding> misfits;   ///< gangs that no pool can train, as compile() reports them
    bool trains_all{
        true};           ///< no job takes the time that its workload says, or asks for GPUs by name
    bool is_whole{true}; ///< no job is too large for every pool that it may use
};

/// How the jobs of `trace` train on the pools of `scenario`, as compile() would have it. Throws
/// ScenarioError: what LocalityPlan does.
[[nodiscard]] TrainingForecast
forecast_training(const Scenario& scenario, const Catalogue& catalogue, const Trace& trace);

}} // namespace bursar::scenarios
