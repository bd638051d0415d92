#pragma once

#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace tools {

/// Throws ScenarioError where `measure` begins after the run's end: its bill would be 0 USD.
void check_measured(const Scenario& scenario, Duration end);

}} // namespace bursar::tools
