#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

struct TraceOptions;

/// Drops the rows whose `keep` is 0, and tenants and GPU type sets that nobody has any more: what
/// is left is as if the other rows had never been in the file. keep: one per row.
void keep_rows(Trace& trace, const std::vector<std::uint8_t>& keep);

/// Keeps the first `n` rows by submit time, ties in file order; the rest count as not selected.
void keep_first(Trace& trace, std::int64_t n);

/// Moves the trace's zero to its earliest submit and returns how far; zero_utc_ms is not touched.
std::int64_t move_zero_to_first_submit(Trace& trace);

/// Applies `scale` of the options in the order time, load, gpus, rounding each product to the
/// nearest millisecond or GPU; CPU and memory grow as gangs do. The zero must be the earliest
/// submit. Throws ScenarioError when a factor is not a finite number > 0, or a result leaves the
/// range of traces (1e12 s, 2^32-1 GPUs).
void scale_trace(Trace& trace, const TraceOptions& options);

}} // namespace bursar::scenarios
