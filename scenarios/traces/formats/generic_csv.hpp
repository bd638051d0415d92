#pragma once

#include <ostream>

#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_builder.hpp"

namespace bursar {

/// Any CSV. Bursar's columns are job, submit, duration, gpus, tenant, state, gpu_milli, gpu_type;
/// TraceOptions::columns maps them to the file's where those are called otherwise. Needed: submit
/// (date and time, or seconds; the first row decides), duration (seconds) and gpus.
void read_generic_csv(ByteSource& bytes, TraceBuilder& trace);

/// Writes bursar's own columns, optional ones only where the trace has them; dates end in Z.
void write_generic_csv(const Trace& trace, std::ostream& out);

} // namespace bursar
