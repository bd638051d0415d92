#pragma once

#include <span>
#include <string_view>

#include "scenarios/errors/scenario_error.hpp"
#include "scenarios/traces/trace_format.hpp"

/// Messages about malformed fields; the caller adds place and path. Called for mistakes only, so
/// speed does not matter.
namespace bursar { inline namespace scenarios {

/// missing, negative, not finite, too large, or not a number of seconds
Finding seconds_problem(std::string_view text);

/// the same of milliseconds since 1970
Finding epoch_ms_problem(std::string_view text);

/// missing, negative or not a date and time
Finding timestamp_problem(std::string_view text);

/// missing, negative, none at all, a fraction, too many, or not a whole number
Finding gpus_problem(std::string_view text);

/// outside 1..1000
Finding gpu_milli_problem(std::string_view text);

/// of CPU or memory: missing, negative, a fraction, too large, or not a whole number
Finding amount_problem(std::string_view text);

/// The largest priority; the smallest is its negative.
inline constexpr std::int64_t max_priority = 1'000'000'000;

/// missing, out of range or not a whole number
Finding priority_problem(std::string_view text);

/// missing or none of `states`
Finding state_problem(std::string_view text, std::span<const StateWord> states);

}} // namespace bursar::scenarios
