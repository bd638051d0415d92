#pragma once

#include "policies/policy_list.hpp"
#include "policies/queue/first_come.hpp"
#include "policies/queue/shortest_job.hpp"

namespace bursar {

/// Every queue order, in the order in which they are listed: the only list.
using QueuePolicies = PolicyList<FirstComeFirstServed, ShortestJobFirst>;

} // namespace bursar
