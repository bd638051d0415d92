#pragma once

#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace tools {

/// Of every pool whose nodes are launched and end, those that stand by its rule whether anybody
/// needs them or not: its least number of the moment, and its warm nodes, as far as so many are
/// paid for. As PaidNodes: so many over a stretch, by pool and time.
///
/// paid: of the run.
[[nodiscard]] std::vector<PaidNodes> standing_nodes(const Plan& plan,
                                                    const std::vector<PaidNodes>& paid);

}} // namespace bursar::tools
