#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/compile/locality_plan.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar::inline scenarios {

/// Gives the classes that declare a `speed` or a `slowdown` their speed on each pool and at each
/// locality level, once per gang size. The time that a wider level costs is time the gang stands
/// still for communication.
class DeclaredSpeeds {
  public:
    /// All outlive this. Rows go to the classes and speeds of `plan`, behind those there are.
    /// Throws ScenarioError for a class that is faster at a wider level.
    DeclaredSpeeds(const Scenario& scenario, const LocalityPlan& places, Plan& plan);

    /// The row of Plan::classes for a gang of that class: its own where it declares neither.
    std::uint16_t plan_class(std::uint16_t job_class, std::uint32_t gpus);

  private:
    [[nodiscard]] std::uint16_t add_class(std::uint16_t job_class, std::uint32_t gpus);
    [[nodiscard]] double
    factor_of(std::uint16_t job_class, std::uint32_t gpus, std::size_t pool, std::size_t level);

    const Scenario& scenario_;
    const LocalityPlan& places_;
    Plan& plan_;
    /// Per class, by pool and level; empty: no slowdown.
    std::vector<std::vector<double>> factors_;
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::uint16_t> rows_;
};

} // namespace bursar::inline scenarios
