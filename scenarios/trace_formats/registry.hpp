#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/trace_format.hpp"

namespace bursar { inline namespace scenarios {

/// All formats, in the order in which they are tried on a file.
std::span<const TraceFormat> trace_formats();

/// The format of that name; null if there is none.
const TraceFormat* find_trace_format(std::string_view name);

/// The mistake about an unknown name, with the nearest ones.
Finding not_a_format(std::string_view name);

/// The first format that fits the beginning of a file. Throws ScenarioError when none does.
const TraceFormat& recognise_format(std::string_view beginning, const std::string& file);

}} // namespace bursar::scenarios
