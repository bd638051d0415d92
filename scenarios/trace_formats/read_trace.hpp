#pragma once

#include <memory>

#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

struct TraceOptions;

/// Reads the trace file `options.file`, plain or packed with gzip or zstd, and applies `select` and
/// `scale`. The format is `options.format`, or recognised by the first line if that is empty.
///
/// Rows keep the order of the file, which need not be sorted; submit_ms counts from the earliest
/// submit that was selected. Text is held one window at a time.
///
/// Throws ScenarioError: the file cannot be read or is damaged, a column is missing, rows cannot be
/// used (up to 20 reported, in one pass; with OnBadRow::skip counted instead), no job is left.
Trace read_trace(const TraceOptions& options);

/// The same from `stored` bytes; the file's name is used in messages only.
Trace read_trace(std::unique_ptr<ByteSource> stored, const TraceOptions& options);

}} // namespace bursar::scenarios
