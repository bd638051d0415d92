#pragma once

#include <string>
#include <vector>

#include "scenarios/compile/compile.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Warnings of what will go wrong with jobs, as far as that is known before the run. compiled: with
/// its jobs, its world and its end.
[[nodiscard]] std::vector<std::string> foreseen(const Scenario& scenario, const Compiled& compiled);

}} // namespace bursar::scenarios
