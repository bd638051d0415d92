#pragma once

#include "models/scaling/allocation.hpp"

namespace bursar { inline namespace models {

inline constexpr double default_total_weight = 0.5; ///< [unverified heuristic], FORMULAS 1.6

/// N_eff = N_active^(1-w) N_total^w: the size of the dense model that stands for a mixture of
/// experts on a loss surface. An [unverified heuristic] between active and total parameters,
/// without claimed accuracy. Compute uses the active ones.
///
/// active: > 0. total: >= active. total_weight: 0 (only active count) .. 1. Else ModelError.
[[nodiscard]] Parameters sparse_effective_params(Parameters active,
                                                 Parameters total,
                                                 double total_weight = default_total_weight);

}} // namespace bursar::models
