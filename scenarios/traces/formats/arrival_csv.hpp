#pragma once

#include <ostream>

#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_builder.hpp"

namespace bursar {

/// The four-column CSV of several public reductions of traces: job_id, arrival_s (submit, in s from
/// a zero of its own), service_sec (run time, s), gpu_count.
void read_arrival_csv(ByteSource& bytes, TraceBuilder& trace);

/// A trace without names gets the row number as job_id, from 0.
void write_arrival_csv(const Trace& trace, std::ostream& out);

} // namespace bursar
