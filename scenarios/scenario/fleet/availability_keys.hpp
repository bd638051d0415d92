#pragma once

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The key of a pool that says how many of its nodes can be had: `availability`.
Key<PoolSpec> availability_key();

/// What a pool must be for it. at: the pool.
void check_availability(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

}} // namespace bursar::scenarios
