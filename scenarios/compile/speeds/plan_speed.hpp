#pragma once

#include <array>
#include <cstdint>

#include "sim/plan/speed.hpp"

namespace bursar { inline namespace scenarios {

/// Shares of time at work by Stall; each >= 0, together at most 1 but for rounding.
using StallShares = std::array<double, num_stalls>;

/// A model's figures as the engine's whole numbers.
///
/// speed: against the reference, > 0; kept to 2^-20, and at least that. shares: become slots of the
/// gang by largest remainder, work taking part (equal remainders: stalls first, in their order).
/// gpus: of the gang, >= 0.
PlanSpeed plan_speed(double speed, const StallShares& shares, std::int64_t gpus);

}} // namespace bursar::scenarios
