#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/known_names.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of a class that say what its jobs train and how.
std::vector<Key<ClassSpec>> training_keys(const KnownNames& names);

/// Rules between those keys, whose names are `training`; notes where each was written.
void check_training(const Reader& at,
                    ClassSpec& spec,
                    const KeysRead& keys,
                    std::span<const std::string> training);

}} // namespace bursar::scenarios
