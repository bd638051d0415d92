#pragma once

#include <cstdint>
#include <optional>

#include "models/market/life_law.hpp"
#include "models/market/supply_series.hpp"
#include "models/units/units.hpp"

/// Generated supply: nodes that come and go each by itself, in a zone that comes and goes as a
/// whole.
namespace bursar { inline namespace models {

/// Up and down in turn, each as long as its law says.
struct UpDown {
    LifeLaw up;
    LifeLaw down;

    /// Share of the time that is up: U / (U + D).
    [[nodiscard]] double up_share() const { return up.mean_ms() / (up.mean_ms() + down.mean_ms()); }
};

/// The nodes of a pool. A node can be had while it is up and so is its zone.
struct ZoneSupply {
    std::int32_t nodes{1}; ///< >= 1
    UpDown node;
    std::optional<UpDown> zone; ///< absent: always up

    /// Share of the time that a node can be had.
    [[nodiscard]] double node_up_share() const {
        return node.up_share() * (zone ? zone->up_share() : 1.0);
    }
};

/// Whose draws a generated series is made of. Pools of one zone go down with it together.
struct SupplyEntity {
    std::uint32_t pool{};
    std::uint32_t zone{};
};

/// The nodes that can be had from 0 until `horizon`. Every life belongs to (seed, pool, node, its
/// number), whatever becomes of the others: more nodes do not move those that are there. The
/// process has run for 32 of its cycles before 0, so that every instant is as likely up as another.
/// horizon: >= 1 ms. Throws ModelError for supply without nodes.
[[nodiscard]] SupplySeries
generate(const ZoneSupply& supply, Duration horizon, std::uint64_t seed, SupplyEntity entity = {});

/// Nodes of which any two are up together more often than by chance.
struct CorrelatedNodes {
    std::int32_t nodes{1};
    Duration mean_up;     ///< of a node, >= 1 s
    double up_share{};    ///< of the time, of a node; in (0, 1)
    double correlation{}; ///< of two nodes' being up; 0: independent .. 1: all as one
};

/// The zone and the nodes in it that behave so, all lives exponential. With A = A_zone · A_node:
/// A_node = A + correlation · (1 - A), and of the down-times, which leaves one choice, that of a
/// zone is as long as a node's own. Throws ModelError for members out of range.
[[nodiscard]] ZoneSupply zone_supply(const CorrelatedNodes& nodes);

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
