#pragma once

#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of a job class that say what a preemption costs: `checkpoint` and `restart`.
std::vector<Key<ClassSpec>> checkpoint_keys();

}} // namespace bursar::scenarios
