#pragma once

#include <cstddef>

#include "reports/answer/answer.hpp"

#include "tools/sweep/sweep_plan.hpp"

namespace bursar { inline namespace tools {

/// How much a sweep is: scenarios, runs, plans and this shard's part of them, and from one run that
/// is made for it - the first of the shard that can be - how long all take and how much memory.
/// That run counts for the others by jobs and policy alone: expect a factor of two.
[[nodiscard]] Answer estimate_sweep(const SweepPlan& plan, const Shard& shard, std::size_t threads);

}} // namespace bursar::tools
