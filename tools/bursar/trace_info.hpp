#pragma once

#include <cstdint>
#include <string>

#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace tools {

/// Prints the statistics of a trace on stdout. gpus: also prints its load on this many GPUs; 0:
/// not. like: the profile of the file `profiles` (empty: built in) whose published statistics are
/// printed beside the trace's; empty: none. Throws ScenarioError.
void print_trace_info(const Trace& trace,
                      std::int64_t gpus,
                      const std::string& like,
                      const std::string& profiles);

}} // namespace bursar::tools
