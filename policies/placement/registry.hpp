#pragma once

#include "policies/placement/consolidated.hpp"
#include "policies/placement/first_fit.hpp"
#include "policies/policy_list.hpp"

namespace bursar {

/// Every placement, in the order in which they are listed: the only list.
using PlacementPolicies = PolicyList<Consolidated, FirstFit>;

} // namespace bursar
