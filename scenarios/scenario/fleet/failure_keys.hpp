#pragma once

#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of a pool that say when its nodes are out of service, and what takes their place:
/// `failures`, `maintenance`, `stragglers`, `spares`.
std::vector<Key<PoolSpec>> failure_keys();

/// What a pool must be for stragglers. at: the pool.
void check_stragglers(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// The same for spares.
void check_spares(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

}} // namespace bursar::scenarios
