#pragma once

#include <vector>

#include "reports/compare/comparison.hpp"
#include "reports/result/budget.hpp"

#include "tools/simulate/compare_variants.hpp"
#include "tools/simulate/paired_runs.hpp"

namespace bursar { inline namespace tools {

/// Makes the first run of each variant once more, with its timeline, and hands it to
/// `settings.on_result`: so no more results are held than there are threads.
///
/// scenarios, ends: those of the runs that are compared. budgets: by variant, as its runs have
/// them, with how many of them exceeded each.
void tell_results(const std::vector<LoadedScenario>& scenarios,
                  const std::vector<RunEnd>& ends,
                  const std::vector<std::vector<ResultBudget>>& budgets,
                  const Comparison& comparison,
                  const CompareSettings& settings);

}} // namespace bursar::tools
