#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/compile/places/locality_plan.hpp"
#include "scenarios/compile/speeds/gpu_speeds.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Runs of one kind in a plan.
struct PlannedRuns {
    /// The row of Plan::classes; the class's own if the workload's run times hold on every pool.
    std::uint16_t plan_class{};
    std::uint64_t permitted{}; ///< pools except those on which they were measured to be impossible,
                               ///< as bits
};

/// Gives jobs with a run time their speed on each pool (GpuSpeeds) and at each locality level
/// (`slowdown` of their class), once per kind. The extra time at a wider level is booked as a stall
/// for communication.
class RunSpeeds {
  public:
    /// All outlive this. New rows are appended to the classes and speeds of `plan`. Throws
    /// ScenarioError for a class that is faster at a wider level.
    RunSpeeds(const Scenario& scenario,
              const LocalityPlan& places,
              const GpuSpeeds& gpu_speeds,
              Plan& plan);

    /// The plan's row and pools for runs of that kind.
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
    /// Per class: whether run times measured on no known GPU hold on every GPU.
    std::vector<bool> takes_given_time_;
    std::map<RunKind, PlannedRuns> planned_;
};

}} // namespace bursar::scenarios
