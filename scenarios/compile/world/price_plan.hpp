#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Whether the prices of some pool are made as far as a run goes: drawn, or by the month.
[[nodiscard]] bool draws_prices(const Scenario& scenario);

/// Whether what some pool costs depends on when the nodes of a run come and go.
[[nodiscard]] bool prices_follow_use(const Scenario& scenario);

/// Writes the prices of pools that a file prices, or that are drawn, into `plan`, in scenario time,
/// in place of those it has; of a pool that prices_follow_use() names, what its market asks. What
/// is drawn goes on until `until`, and to the end of what is billed in one piece with it; it does
/// not depend on how far it goes. zero_utc_ms: the scenario's zero, since 1970-01-01T00:00Z; absent
/// where the workload has no dates. Throws ScenarioError where prices are dated and the zero is
/// not, and where more are drawn than can be held.
void plan_prices(const Scenario& scenario,
                 const std::optional<std::int64_t>& zero_utc_ms,
                 Duration until,
                 Plan& plan);

/// Writes what the GPUs of such pools cost in a run into the plan of that run, in place of what the
/// market asks: the run is the same, and its bill another. paid: its nodes.
void settle_prices(const Scenario& scenario, const std::vector<PaidNodes>& paid, Plan& plan);

/// Warnings where a run that ends at `end` lies mostly, or altogether, outside the times of a file.
[[nodiscard]] std::vector<std::string> price_warnings(
    const Scenario& scenario, const std::optional<std::int64_t>& zero_utc_ms, Duration end);

/// Spot prices of a file that do not change in a run that ends at `end`, as what is not modelled.
[[nodiscard]] std::vector<std::string>
unmodelled_prices(const Scenario& scenario, const Plan& plan, Duration end);

/// What is assumed of prices in a run that ends at `end`: where it lies outside the times of a
/// file, and where those are counted from.
[[nodiscard]] std::vector<std::string>
assumed_prices(const Scenario& scenario, const Plan& plan, Duration end);

}} // namespace bursar::scenarios
