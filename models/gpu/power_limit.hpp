#pragma once

#include "models/gpu/gpu.hpp"

namespace bursar { inline namespace models {

/// `gpu` held below its design power: what its products reach shrinks by (limit / TDP)^0.4, its
/// peaks stay as vendors state them, and memory keeps its clock. A limit of the TDP or more changes
/// nothing. The exponent is the middle of 0.3 to 0.5 [unverified] (FORMULAS 4.1).
///
/// limit: > 0. Throws UnknownFact where the TDP is not known.
[[nodiscard]] Gpu power_limited(Gpu gpu, Power limit);

}} // namespace bursar::models
