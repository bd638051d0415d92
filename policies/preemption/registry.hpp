#pragma once

#include "policies/describe/policy_list.hpp"
#include "policies/preemption/by_order.hpp"
#include "policies/preemption/by_priority.hpp"
#include "policies/preemption/by_quantum.hpp"
#include "policies/preemption/by_value.hpp"
#include "policies/preemption/no_preemption.hpp"

namespace bursar { inline namespace policies {

/// Every way to preempt, in the order in which they are listed: the only list.
using PreemptionPolicies =
    PolicyList<NoPreemption, PreemptByOrder, PreemptByPriority, PreemptByQuantum, PreemptByValue>;

}} // namespace bursar::policies
