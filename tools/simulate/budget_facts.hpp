#pragma once

#include <string>
#include <vector>

#include "sim/plan/labels.hpp"

#include "scenarios/scenario/scenario.hpp"

#include "reports/result/result.hpp"

#include "tools/simulate/budget_acts.hpp"

namespace bursar { inline namespace tools {

/// Whether a run must record over time what is paid for: it has budgets, or costs by month.
[[nodiscard]] bool spends_over_time(const Scenario& scenario);

/// Throws ScenarioError where months are asked for and the workload has no dates, and where a pool
/// or a tenant of a budget is none of the run's.
void check_budgets(const Scenario& scenario, const Labels& labels);

/// Whether a limit that is reached changes what a run does.
[[nodiscard]] bool budgets_act(const Scenario& scenario);

/// "budget cap: 20,000.00 USD are spent, jobs are stopped then, and none starts after that".
/// Precondition: it acts.
[[nodiscard]] std::string spent_sentence(const BudgetSpec& budget);

/// The budgets of a scenario, as a run has them. Precondition: check_budgets() throws nothing.
[[nodiscard]] std::vector<ResultBudget> budgets_of(const Scenario& scenario, const Labels& labels);

/// The months that a run to `end` touches; none where they are not asked for.
[[nodiscard]] std::vector<ResultMonth>
whole_months(const Scenario& scenario, const Labels& labels, Duration end);

/// Adds the budgets of a scenario, with what they did, and the months of a run that ended at `end`
/// to `facts`, and what is assumed of them. Precondition: check_budgets() throws nothing.
void add_budgets(const Scenario& scenario,
                 const Labels& labels,
                 const std::vector<BudgetAct>& acts,
                 Duration end,
                 RunFacts& facts);

/// Counts the budgets that one of several seeds has exceeded.
void count_exceeded(const Result& result, std::vector<ResultBudget>& budgets);

}} // namespace bursar::tools
