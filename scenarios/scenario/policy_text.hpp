#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "models/units/units.hpp"

#include "policies/describe/option.hpp"
#include "policies/describe/policy_list.hpp"

namespace bursar { inline namespace scenarios {

/// How a scenario writes an option's `max` where that is no limit.
inline constexpr std::string_view no_limit_word = "unlimited";

/// A span as a scenario writes it, exactly: "6 min", "90 s".
std::string duration_text(Duration span);

/// An option's number as a scenario writes it: "15 min", "3250 gpu-s", "1.5", "gpu-time".
/// Precondition: a choice's number is one of its words.
std::string option_text(const OptionInfo& option, std::int64_t value);

/// The same of a list, all in one unit: "[3250 gpu-s, 7200 gpu-s]".
std::string option_text(const OptionInfo& option, std::span<const std::int64_t> values);

/// What an option is where a scenario does not say.
std::string default_text(const OptionInfo& option);

/// The numbers an option takes: "1 .. 8", "a duration above 0 s", "time, gpu-time".
std::string range_text(const OptionInfo& option);

/// Whether an option has a default, and a meaning where the policy's others have theirs.
bool has_meaning_by_default(const PolicyInfo& policy, const OptionInfo& option);

/// A policy as a scenario writes it: its name, or a mapping of it and of the options given:
/// "{name: las, by: time}".
std::string policy_text(const PolicyInfo& policy, const PolicyOptions& given);

}} // namespace bursar::scenarios
