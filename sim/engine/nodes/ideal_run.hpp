#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace sim {

/// The pools that could hold a gang of this shape if they were empty, as bits. The pools that the
/// shape permits are not looked at. most: the most nodes of each pool at one time; empty: all.
[[nodiscard]] std::uint64_t
pools_that_hold(const Plan& plan, const JobShape& shape, std::span<const std::uint32_t> most = {});

/// By job, in ms: the time that it holds its GPUs if it runs alone and undisturbed on its best
/// pool: start-up, work, saves at intervals and teardown. The best pool is the fastest one that it
/// may ever use and that can hold its gang, at the best locality level, without slow nodes.
[[nodiscard]] std::vector<std::int64_t> ideal_run_times(const Plan& plan);

}} // namespace bursar::sim
