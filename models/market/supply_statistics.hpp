#pragma once

#include <cstdint>
#include <vector>

#include "models/market/supply_series.hpp"
#include "models/units/units.hpp"

/// What a series of nodes that can be had says of the nodes: how much of the time they are there,
/// and for how long at a stretch.
namespace bursar { inline namespace models {

/// A stretch of time in which at least so many nodes can be had, or in which they cannot.
struct SupplySpell {
    Duration length;
    bool up{};
    bool whole{}; ///< both its ends were observed; else it was longer
};

/// The time observed as spells in turn, up where at least `min_nodes` can be had. min_nodes: >= 1.
[[nodiscard]] std::vector<SupplySpell> spells(const SupplySeries& supply, std::int32_t min_nodes);

/// The spells of every node, where the newest is the first to go: node k is up while at least k
/// can be had. For files that do not say which node went.
[[nodiscard]] std::vector<SupplySpell> node_spells(const SupplySeries& supply);

/// The nearest-rank percentile of the lengths of up spells; 0 where there are none. percent: 1 ..
/// 100.
[[nodiscard]] Duration up_percentile(const std::vector<SupplySpell>& spells, int percent);

struct LengthRange {
    Duration low, high;
};

/// Between which lengths that percentile lies in 95 of 100 cases, by ranks, as if the spells were
/// independent of each other; where they are not, it is less certain still. As up_percentile.
/// Source: Conover, "Practical nonparametric statistics", 3rd edition 1999, section 3.2, for more
/// than 20 spells.
[[nodiscard]] LengthRange up_percentile_range(const std::vector<SupplySpell>& spells, int percent);

/// The facts of a series that a generator is held against. Means and shares over the time observed.
struct SupplyStatistics {
    double mean_nodes{};
    double availability{};    ///< share of the time in which at least one node can be had
    double node_up_share{};   ///< mean_nodes of max_nodes; 0 where there never is one
    double changes_per_day{}; ///< steps behind the first
    double node_hours{};
    std::int64_t num_launches{}; ///< nodes that came, those that were there at the beginning too
    std::int64_t num_reclaims{}; ///< nodes that went
    Duration mean_up;            ///< node-hours per launch: the life of a node
    Duration p90_up;             ///< of node_spells, those cut short by the ends of the series too
};

[[nodiscard]] SupplyStatistics statistics_of(const SupplySeries& supply);

}} // namespace bursar::models
