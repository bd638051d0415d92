#pragma once

#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of a class that say in what number format its jobs may multiply.
[[nodiscard]] std::vector<Key<ClassSpec>> precision_keys();

/// A class cannot have the format that it forbids. at: the class.
void check_precision(const Reader& at, const ClassSpec& spec, const KeysRead& keys);

}} // namespace bursar::scenarios
