#pragma once

#include "sim/plan/labels.hpp"

#include "scenarios/scenario/scenario.hpp"

#include "reports/result/result.hpp"

namespace bursar::inline tools {

/// Whether a run must record over time what is paid for: it has budgets, or costs by month.
[[nodiscard]] bool spends_over_time(const Scenario& scenario);

/// Throws ScenarioError where months are asked for and the workload has no dates, and where a pool
/// or a tenant of a budget is none of the run's.
void check_budgets(const Scenario& scenario, const Labels& labels);

/// Adds the budgets of a scenario and the months of a run that ended at `end` to `facts`, and what
/// is assumed of them. Precondition: check_budgets() throws nothing.
void add_budgets(const Scenario& scenario, const Labels& labels, Duration end, RunFacts& facts);

} // namespace bursar::inline tools
