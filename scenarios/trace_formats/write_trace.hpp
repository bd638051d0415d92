#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/traces/trace.hpp"

namespace bursar { inline namespace scenarios {

/// Writes `trace` to `out` in the format called `format`, rows in their order, times in UTC.
/// Returns the parts of the trace that the format cannot hold ("tenants", "states", ...), for a
/// message. The state of `out` shows whether writing succeeded. Throws ScenarioError for an unknown
/// format, for one that is only read, and for one that needs dates if the trace has none.
std::vector<std::string>
write_trace(const Trace& trace, std::string_view format, std::ostream& out);

}} // namespace bursar::scenarios
