#pragma once

#include "sim/record/gang_places.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Adds on which nodes the attempts of a run were; nothing where capacity was counted.
void add_places(const GangPlaces& places, Result& result);

/// Why nodes are not those of the result's attempts, in a sentence; empty: they are.
[[nodiscard]] std::string mistake_in_places(const Result& result);

}} // namespace bursar::reports
