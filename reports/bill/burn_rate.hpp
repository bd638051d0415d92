#pragma once

#include <optional>

#include "models/units/int128.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// What the fleet and everything else costs per hour, in cents.
struct BurnRate {
    int128 mean_cents{}; ///< what is paid in the window, over its length
    /// Over the instants of the window, weighted by time; absent where nodes are launched and end:
    /// the bill does not know when.
    std::optional<int128> p95_cents{};
};

/// Absent for an empty window. Where every pool is a fixed number of GPUs and other costs are
/// spread evenly over the window, the rate at an instant is the sum over pools of GPUs x the price
/// of the moment, plus other costs per hour: the same at each instant where no price varies. What
/// is billed beyond the end of the run in whole steps and terms (unavail.reserved_unlaunched) is
/// part of the total and falls on no instant of the window, so it is part of neither rate:
/// past_end_warnings say so where it is much. Of a pool with a range it is what its nodes are
/// billed for beyond their own ends, most of it in the window, and part of the mean.
[[nodiscard]] std::optional<BurnRate> burn_rate(const Result& result);

}} // namespace bursar::reports
