#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/compile/places/locality_plan.hpp"
#include "scenarios/compile/speeds/gpu_speeds.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Runs of one kind as a plan has them.
struct PlannedRuns {
    /// The row of Plan::classes: the class's own where they take the time that the workload says
    /// wherever they run.
    std::uint16_t plan_class{};
    std::uint64_t permitted{}; ///< pools that they were not measured to be impossible on, as bits
};

/// Gives jobs with a run time their speed on each pool (GpuSpeeds) and at each locality level
/// (`slowdown` of their class), once per kind. The time that a wider level costs is time the gang
/// stands still for communication.
class RunSpeeds {
  public:
    /// All outlive this. Rows go to the classes and speeds of `plan`, behind those there are.
    /// Throws ScenarioError for a class that is faster at a wider level.
    RunSpeeds(const Scenario& scenario,
              const LocalityPlan& places,
              const GpuSpeeds& gpu_speeds,
              Plan& plan);

    /// What runs of that kind have in common.
    PlannedRuns of(const RunKind& kind);

  private:
    [[nodiscard]] PlannedRuns plan(const RunKind& kind);
    [[nodiscard]] std::vector<PlanSpeed> speeds_of(const RunKind& kind) const;
    [[nodiscard]] bool is_class_row(const RunKind& kind,
                                    const std::vector<PlanSpeed>& speeds) const;
    [[nodiscard]] double factor_of(const RunKind& kind, std::size_t pool, std::size_t level) const;

    const Scenario& scenario_;
    const LocalityPlan& places_;
    const GpuSpeeds& gpu_speeds_;
    Plan& plan_;
    /// Per class, by pool and level; empty: no slowdown.
    std::vector<std::vector<double>> factors_;
    /// Per class: whether runs of which no GPU is known are as the workload says on any.
    std::vector<bool> takes_given_time_;
    std::map<RunKind, PlannedRuns> planned_;
};

}} // namespace bursar::scenarios
