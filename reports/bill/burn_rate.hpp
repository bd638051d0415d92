#pragma once

#include <optional>

#include "models/units/int128.hpp"

#include "reports/result/result.hpp"

namespace bursar::inline reports {

/// What the fleet and everything else costs per hour, in cents.
struct BurnRate {
    int128 mean_cents{}; ///< the bill's total over the length of the window
    int128 p95_cents{};  ///< over the instants of the window, weighted by time
};

/// Absent for an empty window. Every pool is a fixed number of GPUs at a constant rate and other
/// costs are spread evenly over the window, so the rate is the same at each instant: its percentile
/// is the sum over pools of GPUs x rate, plus other costs per hour. What is billed beyond the end
/// of the run in whole steps and terms (unavail.reserved_unlaunched) is part of the total and falls
/// on no instant: past_end_warnings say so where it is much.
[[nodiscard]] std::optional<BurnRate> burn_rate(const Result& result);

} // namespace bursar::inline reports
