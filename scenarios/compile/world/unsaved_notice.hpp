#pragma once

#include <string>
#include <vector>

#include "scenarios/compile/compile.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// Warnings of classes that do not save on a notice which is long enough for it, of pools that
/// their jobs may use: they lose what they could keep. compiled: with its jobs.
[[nodiscard]] std::vector<std::string> unsaved_notices(const Scenario& scenario,
                                                       const Compiled& compiled);

}} // namespace bursar::scenarios
