#pragma once

#include <ostream>

#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace.hpp"
#include "scenarios/traces/trace_builder.hpp"

namespace bursar {

/// The cluster_log of SenseTime Helios, columns by name, so that both the original's 12 and the
/// 7 of its simulator are read: gpu_num, state, submit_time, duration (s), vc (the tenant) and, as
/// the job's name, the first there is of job_id, jobname, user. Jobs with gpu_num 0 use CPUs only.
void read_helios_csv(ByteSource& bytes, TraceBuilder& trace);

/// Throws ScenarioError for a trace without dates. A trace without states is all COMPLETED.
void write_helios_csv(const Trace& trace, std::ostream& out);

} // namespace bursar
