#pragma once

#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The key of a pool that says how often its launches fail: `launch_failures`.
Key<PoolSpec> launch_failures_key();

/// What a pool must be for it. at: the pool.
void check_launch_failures(const Reader& at, const PoolSpec& pool, const KeysRead& keys);

/// A row of `quotas`.
Table<QuotaSpec> quota_keys();

}} // namespace bursar::scenarios
