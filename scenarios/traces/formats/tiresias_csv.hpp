#pragma once

#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace_builder.hpp"

namespace bursar {

/// Job lists of the Tiresias simulator: job_id, num_gpu, submit_time (s), duration (s); iterations,
/// model_name, interval and other columns are not read.
void read_tiresias_csv(ByteSource& bytes, TraceBuilder& trace);

} // namespace bursar
