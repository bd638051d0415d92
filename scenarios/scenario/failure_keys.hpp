#pragma once

#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar::inline scenarios {

/// The keys of a pool that say when its nodes are out of service: `failures`, `maintenance`.
std::vector<Key<PoolSpec>> failure_keys();

} // namespace bursar::inline scenarios
