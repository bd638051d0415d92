#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/traces/bytes/byte_source.hpp"
#include "scenarios/traces/trace_builder.hpp"

namespace bursar {

/// Pods of Alibaba's openb cluster (cluster-trace-gpu-v2023): submit is creation_time, duration is
/// deletion_time minus creation_time (s), num_gpu whole GPUs at gpu_milli thousandths each,
/// cpu_milli and memory_mib of the whole pod (a pod without GPUs asks for those alone), gpu_spec
/// the permitted types with bars between. pod_phase is a snapshot, not an end state, and is not
/// read. Throws ScenarioError for a list without times (the multigpuXX lists).
void read_openb_csv(ByteSource& bytes, TraceBuilder& trace);

} // namespace bursar
