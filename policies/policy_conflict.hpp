#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "policies/policy_choice.hpp"

namespace bursar { inline namespace policies {

/// Why two policies of a choice cannot be combined with each other.
struct PolicyConflict {
    std::string_view policy_slot; ///< the one that a message should point at
    std::string problem;
    std::string why;
    std::string suggestion;
};

/// The one place that says which policies go together. Names that are in no list conflict with
/// nothing.
std::optional<PolicyConflict> policy_conflict(const PolicyChoice& choice);

}} // namespace bursar::policies
