#pragma once

#include "sim/record/gang_places.hpp"

#include "reports/result/result.hpp"

namespace bursar { inline namespace reports {

/// Adds the nodes of every attempt; nothing where capacity was counted.
void add_places(const GangPlaces& places, Result& result);

/// What is wrong with the nodes of attempts, as a sentence; empty: nothing.
[[nodiscard]] std::string mistake_in_places(const Result& result);

}} // namespace bursar::reports
