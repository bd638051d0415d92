#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "scenarios/catalog/catalogue.hpp"
#include "scenarios/throughputs/throughput_table.hpp"

namespace bursar { inline namespace scenarios {

/// The largest batch on one GPU, by application; others: the largest that was measured.
using LocalBatches = std::map<std::string, std::int64_t>;

/// The GPU that the profiles were measured on.
inline constexpr std::string_view pollux_gpu = "T4";

/// In place of a batch size: for each number of GPUs the measured one with which a run is shortest.
inline constexpr std::string_view pollux_best_batch = "best";

/// What the table calls a job of that application and global batch size.
[[nodiscard]] std::string pollux_job_type(std::string_view application, std::string_view batch);

/// Reads the profiles of Pollux (petuum/adaptdl, simulator/traces): a folder for each application
/// with `placements.csv`, `scalability.csv` and `validation-BATCH.csv`, plain or compressed. The
/// table has whole runs per second in place of steps, by application and batch, for each number of
/// GPUs that was measured on the fewest nodes of four.
///
/// A run goes through as many epochs as the shortest validation has; the progress at the end of an
/// epoch is the least over all batches. It makes `gain` of progress a step,
/// (var + sqr) / (var / scale + sqr) of the epoch's gradients, where scale = batch / the least
/// batch; the batch stays as it is. A GPU has ceil(batch / GPUs), in as many passes as its largest
/// batch needs, and at least two on one GPU with more than the least batch; each pass but the last
/// takes the time of a step without its synchronisation. Times between two measured local batches
/// are on the line between them. A job of the batch `best` has for each number of GPUs the batch of
/// its application with which a whole run is shortest, so that the statistical efficiency of large
/// batches counts. Source: Qiao et al., Pollux, OSDI 2021, and its simulator.
///
/// names: may map `T4` to another GPU of the catalogue. Throws ScenarioError with its place for a
/// malformed file, and for an application of `largest` that the folder lacks.
[[nodiscard]] ThroughputTable read_pollux_profiles(const std::string& folder,
                                                   const Catalogue& catalogue,
                                                   const GpuNames& names,
                                                   const LocalBatches& largest);

}} // namespace bursar::scenarios
