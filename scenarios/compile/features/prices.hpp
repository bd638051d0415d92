#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Whether the prices of some pool are made as far as a run goes: drawn, or by the month.
[[nodiscard]] bool draws_prices(const Scenario& scenario);

/// Whether what some pool costs depends on when the nodes of a run come and go.
[[nodiscard]] bool prices_follow_use(const Scenario& scenario);

/// Writes the prices of pools that a file prices, or that are drawn, into `plan`, in scenario time,
/// in place of those it has; of a pool that prices_follow_use() names, what its market asks. What
/// is drawn goes on until `until`, and to the end of what is billed in one piece with it; it does
/// not depend on how far it goes. Throws ScenarioError where prices are dated and the zero is
/// not, and where more are drawn than can be held.
void plan_prices(const DrawInput& input, Plan& plan);

/// Writes what the GPUs of such pools cost in a run into the plan of that run, in place of what the
/// market asks: the run is the same, and its bill another. paid: its nodes.
void settle_prices(const Scenario& scenario, const std::vector<PaidNodes>& paid, Plan& plan);

/// Notes on the prices of a run that ends at `end`: where it lies outside the times of a file,
/// where those are counted from, and which spot prices stay the same in it. plan: as it was run.
[[nodiscard]] Notes run_notes_of_prices(const Scenario& scenario,
                                        const Plan& plan,
                                        const std::optional<std::int64_t>& zero_utc_ms,
                                        Duration end);

}} // namespace bursar::scenarios
