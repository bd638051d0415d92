#pragma once

#include <vector>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/compile/training/trained_classes.hpp"
#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// What training models say about a workload before it is compiled.
struct TrainingForecast {
    std::vector<TrainedGang> gangs; ///< by class and size; without pools if no pool can train the
                                    ///< gang
    std::vector<Finding> misfits;   ///< gangs that no pool can train, as compile() reports them
    bool trains_all{true}; ///< no job has a run time of the workload, or names the GPUs that it may
                           ///< use
    bool is_whole{true};   ///< no job is too large for every pool that it may use
};

/// How the jobs of `trace` train on the pools of `scenario`, as compile() would decide. Throws
/// ScenarioError as LocalityPlan does.
[[nodiscard]] TrainingForecast
forecast_training(const Scenario& scenario, const Catalogue& catalogue, const Trace& trace);

}} // namespace bursar::scenarios
