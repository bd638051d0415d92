#pragma once

#include <vector>

#include "scenarios/reader/table.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// How jobs of a class fail by themselves: `failures`, `overflow_restarts`.
[[nodiscard]] std::vector<Key<ClassSpec>> job_failure_keys();

}} // namespace bursar::scenarios
