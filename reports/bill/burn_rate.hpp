#pragma once

#include <optional>

#include "models/units/int128.hpp"

#include "reports/result/result.hpp"

namespace bursar {

/// What the fleet and everything else costs per hour, in cents.
struct BurnRate {
    int128 mean_cents{}; ///< total cost over the length of the window
    int128 p95_cents{};  ///< over the instants of the window, weighted by time
};

/// Absent for an empty window. Every pool is a fixed number of GPUs at a constant rate and other
/// costs are spread evenly over the window, so the rate is the same at each instant: its percentile
/// is the sum over pools of GPUs x rate, plus other costs per hour. The mean exceeds it by what
/// billing in whole steps and terms adds to the time in the window.
[[nodiscard]] std::optional<BurnRate> burn_rate(const Result& result);

} // namespace bursar
