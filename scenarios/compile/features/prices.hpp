#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Whether the prices of some pool must be drawn until the end of the run: random prices, or
/// discounts by the month.
[[nodiscard]] bool draws_prices(const Scenario& scenario);

/// Whether the prices of some pool depend on when the nodes of the run are launched and end.
[[nodiscard]] bool prices_follow_use(const Scenario& scenario);

/// Replaces the plan's prices by those that are drawn or from files, in scenario time. A pool whose
/// price follows use gets the market's prices. Drawn prices go on until `until` and to the end of
/// its billing step; they do not depend on how far they go. Throws ScenarioError for dated prices
/// if the scenario has no date, and for more steps than can be held.
void plan_prices(const DrawInput& input, Plan& plan);

/// Replaces the market's prices by the run's own, for pools whose price follows use. Decisions go
/// on to follow the market's prices: the run stays the same, its bill does not. paid: the nodes of
/// that run.
void settle_prices(const Scenario& scenario, const std::vector<PaidNodes>& paid, Plan& plan);

/// Notes on the prices of a run that ends at `end`: assumptions, files that do not cover it, and
/// spot prices that do not change in it. plan: as it was run.
[[nodiscard]] Notes run_notes_of_prices(const Scenario& scenario,
                                        const Plan& plan,
                                        const std::optional<std::int64_t>& zero_utc_ms,
                                        Duration end);

}} // namespace bursar::scenarios
