#pragma once

#include <optional>

#include "models/units/int128.hpp"

#include "reports/result/result.hpp"

namespace bursar {

/// What the fleet costs per hour, in cents.
struct BurnRate {
    int128 mean_cents{}; ///< total cost (other costs, too) over the length of the window
    int128 p95_cents{};  ///< of GPU-time charges at the instants of the window
};

/// Absent for an empty window. Every pool is a fixed number of GPUs at a constant rate, so the rate
/// at each instant, and with it every percentile, is the sum over pools of GPUs x rate.
[[nodiscard]] std::optional<BurnRate> burn_rate(const Result& result);

} // namespace bursar
