#pragma once

#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// What ends a node that nobody needs where the scenario does not say: as long as Kubernetes'
/// cluster autoscaler waits (`scale-down-unneeded-time`, its documentation of 2024).
inline constexpr Duration default_idle_timeout = 10 * minute;

inline constexpr std::int64_t max_nodes_of_pool = 1'000'000;

/// The keys of a pool that say how many nodes it has, and how they come and go: `nodes`, `boot`,
/// `idle_timeout`, `provisioning`.
std::vector<Key<PoolSpec>> node_keys();

/// Ranges of nodes that mean nothing.
void check_nodes_of_pool(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

}} // namespace bursar::scenarios
