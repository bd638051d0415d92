#pragma once

#include <optional>

#include "sim/plan/plan.hpp"

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// When the run of a plan with its jobs ends; absent: with its last job. Throws ScenarioError where
/// `until: last-submit` leaves nothing to run or to measure.
[[nodiscard]] std::optional<Duration> end_of_run(const Scenario& scenario, const Plan& plan);

}} // namespace bursar::scenarios
