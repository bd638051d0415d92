#pragma once

#include <cstdint>
#include <string>

#include "scenarios/traces/trace.hpp"

namespace bursar::inline tools {

/// Prints what a trace asks for on stdout. gpus: also its load on so many; 0: not.
/// like: the synthetic profile whose published statistics stand beside the trace's own; empty:
/// none.
void print_trace_info(const Trace& trace, std::int64_t gpus, const std::string& like);

} // namespace bursar::inline tools
