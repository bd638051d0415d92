#pragma once

#include <cstdint>
#include <optional>

#include "models/market/life_law.hpp"
#include "models/market/supply_series.hpp"
#include "models/units/units.hpp"

/// Generated supply: nodes that come and go independently, in a zone that comes and goes as a
/// whole.
namespace bursar { inline namespace models {

/// Alternating up-times and down-times, each drawn from its law.
struct UpDown {
    LifeLaw up;
    LifeLaw down;

    /// Share of the time that is up: U / (U + D).
    [[nodiscard]] double up_share() const { return up.mean_ms() / (up.mean_ms() + down.mean_ms()); }
};

/// The nodes of a pool. A node is available while it and its zone are up.
struct ZoneSupply {
    std::int32_t nodes{1}; ///< >= 1
    UpDown node;
    std::optional<UpDown> zone; ///< absent: always up

    /// Share of the time that a node is available.
    [[nodiscard]] double node_up_share() const {
        return node.up_share() * (zone ? zone->up_share() : 1.0);
    }
};

/// Keys of the draws of a generated series. Pools of one zone go down together.
struct SupplyEntity {
    std::uint32_t pool{};
    std::uint32_t zone{};
};

/// The supply from 0 until `horizon`. Every life is drawn per (seed, pool, node, its number), so
/// more nodes do not change those that exist. The process starts 32 of its cycles before 0, so that
/// it is stationary. horizon: >= 1 ms. Throws ModelError for supply without nodes.
[[nodiscard]] SupplySeries
generate(const ZoneSupply& supply, Duration horizon, std::uint64_t seed, SupplyEntity entity = {});

/// Nodes whose up-times are positively correlated.
struct CorrelatedNodes {
    std::int32_t nodes{1};
    Duration mean_up;     ///< of a node, >= 1 s
    double up_share{};    ///< of the time, of a node; in (0, 1)
    double correlation{}; ///< between two nodes being up; 0: independent .. 1: identical
};

/// The median correlation of two nodes in generators fitted to traces of spot zones: 0.05, 0.07,
/// 0.21, 0.27 (zones of 24 to 80 nodes, Bamboo, NSDI 2023) and 0.90, 0.95, 0.98 (4 and 16 nodes,
/// SkyPilot). Checked by fitted_supply_test.cpp.
inline constexpr double fitted_node_correlation = 0.267;

/// The zone and the nodes with that correlation, all lives exponential. With A = A_zone · A_node:
/// A_node = A + correlation · (1 - A), and the mean down-time of the zone equals that of a node
/// alone (the remaining free choice). Throws ModelError for members out of range.
[[nodiscard]] ZoneSupply zone_supply(const CorrelatedNodes& nodes);

/// A series in another order: random stretches of it in sequence, wrapping at its end. Events
/// inside a stretch (many nodes at one instant, lives of several hours) are kept; between two
/// stretches the number jumps.
///
/// Source: Politis and Romano, "The stationary bootstrap", JASA 89(428), 1994.
struct BlockSupply {
    SupplySeries series;
    Duration mean_block; ///< of a stretch, whose length is exponential; >= 1 s
};

/// Mean stretch: half of the series, which is long beside its events, and short enough that seeds
/// differ.
[[nodiscard]] BlockSupply block_supply(const SupplySeries& series);

/// The supply from 0 until `horizon`. Stretch n is drawn per (seed, pool, n). horizon:
/// >= 1 ms. Throws ModelError for a mean_block below 1 s.
[[nodiscard]] SupplySeries
generate(const BlockSupply& supply, Duration horizon, std::uint64_t seed, SupplyEntity entity = {});

/// The supply that lasts for at least `notice`: at every time the minimum of `supply` over the
/// `notice` that follows. Falls move `notice` earlier, to their announcement; rises stay, and nodes
/// that come and go within a notice are left out. Before the first step it equals the first step;
/// times before 0 are cut. supply: first step at 0 (asserted). notice:
/// >= 0.
[[nodiscard]] SupplySeries announced(const SupplySeries& supply, Duration notice);

/// `supply` from `zero` on, which becomes 0. The step in force at `zero` comes first; before all
/// steps that is the first one. A series that ends before `zero` becomes its last number, for a
/// millisecond.
[[nodiscard]] SupplySeries since(const SupplySeries& supply, Duration zero);

}} // namespace bursar::models
