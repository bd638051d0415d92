#pragma once

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The key `discount` of a pool.
Key<PoolSpec> discount_key();

/// What a pool must be for it. at: the pool.
void check_discount(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

}} // namespace bursar::scenarios
