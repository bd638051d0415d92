#pragma once

#include <vector>

#include "policies/policy_list.hpp"
#include "policies/simulate.hpp"

namespace bursar {

/// Every value of every policy slot, slot by slot, the default of a slot first.
std::vector<PolicyInfo> policy_catalog();

/// The values of one slot: queue, head, capacity, placement or broker.
std::vector<PolicyInfo> policies_of(std::string_view slot);

/// Whether runs of the choice differ by its seed.
bool draws_at_random(const PolicyChoice& choice);

} // namespace bursar
