#pragma once

#include <cstdint>

#include "models/market/supply_series.hpp"
#include "models/market/zone_supply.hpp"
#include "models/units/units.hpp"

namespace bursar { inline namespace models {

/// A series played in another order: stretches of it, from anywhere, one after the other; behind
/// its end comes its beginning. What happens inside a stretch (many nodes at one instant, lives of
/// several hours) is kept as it was; between two stretches the number jumps.
///
/// Source: Politis and Romano, "The stationary bootstrap", JASA 89(428), 1994.
struct BlockSupply {
    SupplySeries series;
    Duration mean_block; ///< of a stretch, whose length is exponential; >= 1 s
};

/// Of mean length half of the series: long beside what happens in it, and short enough that
/// seeds differ.
[[nodiscard]] BlockSupply block_supply(const SupplySeries& series);

/// The nodes that can be had from 0 until `horizon`. Stretch n belongs to (seed, pool, n). horizon:
/// >= 1 ms. Throws ModelError for a mean_block below 1 s.
[[nodiscard]] SupplySeries
generate(const BlockSupply& supply, Duration horizon, std::uint64_t seed, SupplyEntity entity = {});

}} // namespace bursar::models
