#pragma once

#include <optional>
#include <string>

#include "policies/policy_choice.hpp"

namespace bursar { inline namespace policies {

/// What is wrong with a choice that no scenario reader has checked, in words; absent: its policies
/// are in the catalogue, with options and numbers in their ranges, and go together.
[[nodiscard]] std::optional<std::string> choice_flaw(const PolicyChoice& choice);

}} // namespace bursar::policies
