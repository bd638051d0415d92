#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

#include "scenarios/compile/features/feature.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Whether prices of some pool must be drawn as far as the run goes: random ones, or discounts by
/// the month.
[[nodiscard]] bool draws_prices(const Scenario& scenario);

/// Whether the prices of some pool depend on when the nodes of the run come and go.
[[nodiscard]] bool prices_follow_use(const Scenario& scenario);

/// Writes prices that are drawn or from files into `plan`, in scenario time, in place of those it
/// has. For a pool whose price follows use, these are the market's. Drawn prices go on until
/// `until` and to the end of its billing step; they do not depend on how far they go. Throws
/// ScenarioError where prices are dated and the zero is not, and where more are drawn than can be
/// held.
void plan_prices(const DrawInput& input, Plan& plan);

/// Replaces the market's prices by what GPUs cost in a run, for pools whose price follows use. The
/// run stays the same, its bill does not. paid: the nodes of that run.
void settle_prices(const Scenario& scenario, const std::vector<PaidNodes>& paid, Plan& plan);

/// Notes on the prices of a run that ends at `end`: where it lies outside the times of a file,
/// where those are counted from, and which spot prices stay the same in it. plan: as it was run.
[[nodiscard]] Notes run_notes_of_prices(const Scenario& scenario,
                                        const Plan& plan,
                                        const std::optional<std::int64_t>& zero_utc_ms,
                                        Duration end);

}} // namespace bursar::scenarios
