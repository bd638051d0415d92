#pragma once

#include <string>
#include <vector>

#include "scenarios/compile/compile.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Warnings of classes whose jobs cannot meet their deadlines: they need longer even where they
/// start at once, on the fastest pool that they may use, and nothing interrupts them. Saves are not
/// counted. compiled: with its jobs.
[[nodiscard]] std::vector<std::string> tight_deadlines(const Scenario& scenario,
                                                       const Compiled& compiled);

}} // namespace bursar::scenarios
