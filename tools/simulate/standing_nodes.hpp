#pragma once

#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace tools {

/// Nodes that pools with a range keep without demand: their least number at the time and their warm
/// nodes, but not more than are paid for. By pool and time. paid: of the run.
[[nodiscard]] std::vector<PaidNodes> standing_nodes(const Plan& plan,
                                                    const std::vector<PaidNodes>& paid);

}} // namespace bursar::tools
