#pragma once

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// What stands in an element of `budgets`.
Table<BudgetSpec> budget_keys();

/// The key `calendar`: the time zone that months are counted in.
Key<Scenario> calendar_key();

}} // namespace bursar::scenarios
