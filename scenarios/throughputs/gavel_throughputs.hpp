#pragma once

#include <map>
#include <string>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/throughputs/throughput_table.hpp"

namespace bursar { inline namespace scenarios {

/// Names that a table has for GPUs, and what the catalogue calls them.
using GpuNames = std::map<std::string, std::string>;

/// Reads the throughputs of Gavel (stanford-futuredata/gavel, simulation_throughputs.json), plain
/// or compressed: of each kind of worker, `"('job type', GPUs)"` to the steps a second that such a
/// job makes alone, under `"null"`. What two jobs make that share GPUs, and gangs that are not
/// consolidated (`v100_unconsolidated`), are passed over.
///
/// names: what kinds of workers are called in the catalogue; others go by their own name. Throws
/// ScenarioError for what cannot be read as such, with its place, and for a GPU that nobody knows.
[[nodiscard]] ThroughputTable
read_gavel_throughputs(const std::string& path, const Catalogue& catalogue, const GpuNames& names);

}} // namespace bursar::scenarios
