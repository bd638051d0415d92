#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policies/policy_choice.hpp"

namespace bursar { inline namespace scenarios {

/// What compile() notes of every plan, and only some policies rest on: plans do not differ by it.
inline constexpr std::string_view knows_run_times =
    "the scheduler knows every run time before the job has run (policy.estimates: exact)";
inline constexpr std::string_view youngest_leave =
    "capacity count: where a node goes, the youngest jobs of its pool leave";

/// `assumed` of a plan without what does not concern a run under that choice.
[[nodiscard]] std::vector<std::string> assumed_under(const PolicyChoice& choice,
                                                     std::vector<std::string> assumed);

}} // namespace bursar::scenarios
