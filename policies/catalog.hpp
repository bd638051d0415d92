#pragma once

#include <string_view>
#include <vector>

#include "policies/policy_list.hpp"

namespace bursar {

/// Every value of every policy slot, slot by slot, the default of a slot first.
std::vector<PolicyInfo> policy_catalog();

/// The values of one policy slot, in the order of their registry; empty where there is none of the
/// name.
std::vector<PolicyInfo> policies_of(std::string_view slot);

} // namespace bursar
