#pragma once

#include <cstddef>

#include "scenarios/scenario/scenario.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar {

/// A workload written by hand as rows in the order of the list, one per job. Submit times count
/// from the scenario's zero; a job without a duration has none here (0), its class says what it
/// trains.
[[nodiscard]] Trace listed_trace(const JobList& list);

/// The entry of the list that row `row` of its trace came from, by index.
[[nodiscard]] std::size_t listed_entry(const JobList& list, std::size_t row);

} // namespace bursar
