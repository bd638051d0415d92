#pragma once

#include "models/market/supply_series.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// What can be had for `notice` at least: at every time the least of the nodes that can be had from
/// then until `notice` later. Falls stand `notice` early, when they are announced; rises stand
/// where they were, and what comes and goes within a notice is not offered. Before the first step
/// it is as at the first step; times before 0 are cut. supply: first step at 0 (asserted). notice:
/// >= 0.
[[nodiscard]] SupplySeries announced(const SupplySeries& supply, Duration notice);

/// `supply` as it looks from `zero` on, which becomes 0: what holds then stands first, and where
/// `zero` is before all steps the first one holds already. One that ends before `zero` is what it
/// was last, for a millisecond.
[[nodiscard]] SupplySeries since(const SupplySeries& supply, Duration zero);

}} // namespace bursar::models
