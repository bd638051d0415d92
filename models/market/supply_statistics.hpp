#pragma once

#include <cstdint>
#include <vector>

#include "models/market/supply_series.hpp"
#include "models/units/units.hpp"

/// Statistics of a supply series: the share of time with available nodes, and the lengths of such
/// spells.
namespace bursar { inline namespace models {

/// A stretch of time in which at least `min_nodes` nodes are available, or in which fewer are.
struct SupplySpell {
    Duration length;
    bool up{};
    bool whole{}; ///< both ends were observed; otherwise it was longer
};

/// The observed time as alternating spells, up where at least `min_nodes` are available. min_nodes:
/// >= 1.
[[nodiscard]] std::vector<SupplySpell> spells(const SupplySeries& supply, std::int32_t min_nodes);

/// The spells of every node, last in first out: node k is up while at least k are available. For
/// files that do not identify nodes.
[[nodiscard]] std::vector<SupplySpell> node_spells(const SupplySeries& supply);

/// The nearest-rank percentile of the lengths of up spells; 0 where there are none. percent: 1 ..
/// 100.
[[nodiscard]] Duration up_percentile(const std::vector<SupplySpell>& spells, int percent);

struct LengthRange {
    Duration low, high;
};

/// The 95 % confidence interval of that percentile, by ranks, for independent spells; for dependent
/// ones it is wider. As up_percentile. Source: Conover, "Practical nonparametric statistics", 3rd
/// edition 1999, section 3.2, for more than 20 spells.
[[nodiscard]] LengthRange up_percentile_range(const std::vector<SupplySpell>& spells, int percent);

/// The figures by which a generator is compared with a series. Means and shares over the time
/// observed.
struct SupplyStatistics {
    double mean_nodes{};
    double availability{};    ///< share of the time in which at least one node is available
    double node_up_share{};   ///< mean_nodes of max_nodes; 0 where there never is one
    double changes_per_day{}; ///< steps behind the first
    double node_hours{};
    std::int64_t num_launches{}; ///< nodes that came, including those at the beginning
    std::int64_t num_reclaims{}; ///< nodes lost
    Duration mean_up;            ///< node-hours per launch: the life of a node
    Duration p90_up;             ///< of node_spells, including those cut by the ends of the series
};

[[nodiscard]] SupplyStatistics statistics_of(const SupplySeries& supply);

}} // namespace bursar::models
