#pragma once

#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The keys of a class that speak of where its gangs sit: `locality` and `slowdown`.
std::vector<Key<ClassSpec>> locality_keys();

/// The rules between them and the other keys of a class. at: the class.
void check_locality(const Reader& at);

}} // namespace bursar::scenarios
