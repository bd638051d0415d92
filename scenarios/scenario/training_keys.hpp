#pragma once

#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar::inline scenarios {

/// The keys of a class that say what its jobs train and how.
std::vector<Key<ClassSpec>> training_keys();

/// Rules between those keys; notes where each was written.
void check_training(const Reader& at, ClassSpec& spec, const KeysRead& keys);

} // namespace bursar::inline scenarios
