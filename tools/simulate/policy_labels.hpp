#pragma once

#include "scenarios/scenario/scenario.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace tools {

/// The policies of a scenario, as it would write them.
[[nodiscard]] PolicyLabels labels_of(const Scenario& scenario);

}} // namespace bursar::tools
