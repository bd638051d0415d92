#pragma once

#include <vector>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of a workload that say on what its run times were measured, and what is known of other
/// GPUs. catalogue: outlives them.
[[nodiscard]] std::vector<Key<Scenario>> run_times_keys(const Catalogue& catalogue);

}} // namespace bursar::scenarios
