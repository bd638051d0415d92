#pragma once

#include <string>
#include <vector>

namespace bursar { inline namespace scenarios {

struct Trace;

/// What became of the rows of a trace file, and what of its options had no effect: a line each.
std::vector<std::string> trace_notes(const Trace& trace);

}} // namespace bursar::scenarios
