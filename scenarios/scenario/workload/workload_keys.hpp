#pragma once

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/known_names.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of `workload`: where the jobs come from and what classes they fall into.
/// catalogue: outlives them.
Table<Scenario> workload_keys(const KnownNames& names, const Catalogue& catalogue);

}} // namespace bursar::scenarios
