#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "policies/policy_list.hpp"

namespace bursar { inline namespace policies {

/// The policies of every policy slot, one policy slot after the other (policy_slots.hpp).
std::vector<PolicyInfo> policy_catalog();

/// Those of one, in the order of their registry; none where there is no policy slot of that name.
std::vector<PolicyInfo> policies_of(std::string_view policy_slot);

/// The one of that name among them.
std::optional<PolicyInfo> find_policy(std::string_view policy_slot, std::string_view name);

}} // namespace bursar::policies
