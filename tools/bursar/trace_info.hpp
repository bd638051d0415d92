#pragma once

#include <cstdint>
#include <string>

#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace tools {

/// Prints what a trace asks for on stdout. gpus: also its load on so many; 0: not.
/// like: the synthetic profile whose published statistics stand beside the trace's own, one of the
/// file `profiles`, or where that is empty of the built-in ones; empty: none. Throws ScenarioError.
void print_trace_info(const Trace& trace,
                      std::int64_t gpus,
                      const std::string& like,
                      const std::string& profiles);

}} // namespace bursar::tools
