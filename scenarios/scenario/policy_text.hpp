#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "models/units/units.hpp"

#include "policies/describe/option.hpp"
#include "policies/describe/policy_list.hpp"

namespace bursar { inline namespace scenarios {

/// The word for an option's `max` without a limit.
inline constexpr std::string_view no_limit_word = "unlimited";

/// A duration as a scenario writes it, exactly: "6 min", "90 s".
std::string duration_text(Duration span);

/// An option's number as a scenario writes it: "15 min", "3250 gpu-s", "1.5", "gpu-time".
/// Precondition: a choice's number is one of its words.
std::string option_text(const OptionInfo& option, std::int64_t value);

/// The same of a list, all in one unit: "[3250 gpu-s, 7200 gpu-s]".
std::string option_text(const OptionInfo& option, std::span<const std::int64_t> values);

/// Whether an option has a default: not a file, nor a list that may be left out.
bool has_default(const OptionInfo& option);

/// The default of an option, as a scenario writes it; "none" without one.
std::string default_text(const OptionInfo& option);

/// The range of an option: "1 .. 8", "a duration above 0 s", "time, gpu-time".
std::string range_text(const OptionInfo& option);

/// Whether an option has a default, and has an effect when the other options have their defaults.
bool has_meaning_by_default(const PolicyInfo& policy, const OptionInfo& option);

/// A policy as a scenario writes it: its name, or a mapping of its name and the given options:
/// "{name: las, by: time}".
std::string policy_text(const PolicyInfo& policy, const PolicyOptions& given);

}} // namespace bursar::scenarios
