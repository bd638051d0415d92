#pragma once

#include <ostream>

#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_builder.hpp"

namespace bursar {

/// Microsoft Philly as Pollux and Sia use it, columns by name: timestamp (submit), duration (run
/// time, s), num_gpus; where there are, cluster is the tenant and job_id the name. No states.
void read_philly_csv(ByteSource& bytes, TraceBuilder& trace);

/// Throws ScenarioError for a trace without dates.
void write_philly_csv(const Trace& trace, std::ostream& out);

} // namespace bursar
