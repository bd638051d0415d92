#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/traces/trace_format.hpp"

namespace bursar::inline scenarios {

/// All formats, in the order in which they are tried on a file.
std::span<const TraceFormat> trace_formats();

/// The format called `name`. Throws ScenarioError that lists all and suggests the nearest; file:
/// for its place.
const TraceFormat& trace_format(std::string_view name, const std::string& file);

/// The first format that fits the beginning of a file. Throws ScenarioError when none does.
const TraceFormat& recognise_format(std::string_view beginning, const std::string& file);

} // namespace bursar::inline scenarios
