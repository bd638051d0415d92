#pragma once

#include "policies/allocator/allocators.hpp"
#include "policies/describe/policy_list.hpp"

namespace bursar { inline namespace policies {

/// Every allocator, in the order of `bursar policies`. This is the only list.
using AllocatorPolicies =
    PolicyList<NoAllocator, FifoPerf, MaxMinFairness, FinishTimeAllocation, Makespan>;

}} // namespace bursar::policies
