#pragma once

#include "sim/engine/queues/queue_order.hpp"

#include "policies/describe/policy_list.hpp"
#include "policies/queue/dominant_share.hpp"
#include "policies/queue/earliest_deadline.hpp"
#include "policies/queue/fair_share.hpp"
#include "policies/queue/finish_time.hpp"
#include "policies/queue/first_come.hpp"
#include "policies/queue/gittins.hpp"
#include "policies/queue/highest_priority.hpp"
#include "policies/queue/least_attained.hpp"
#include "policies/queue/multifactor.hpp"
#include "policies/queue/shortest_job.hpp"
#include "policies/queue/shortest_remaining.hpp"
#include "policies/queue/smallest.hpp"
#include "policies/queue/value_density.hpp"

namespace bursar { inline namespace policies {

/// Checks that a type is a described QueueOrder.
template <class Order>
struct ListedOrder {
    static_assert(DescribedPolicy<Order>,
                  "not described: a policy has a name, a summary, a cost and a source");
    static_assert(QueueOrder<RuleOf<Order>>,
                  "not a QueueOrder: see \"A queue order\" in sim/engine/README.md");
    using Type = Order;
};

template <class... Orders>
using QueueOrderList = PolicyList<typename ListedOrder<Orders>::Type...>;

/// Every queue order, in the order of `bursar policies`. This is the only list.
using QueuePolicies = QueueOrderList<FirstComeFirstServed,
                                     ShortestJobFirst,
                                     ShortestRemainingFirst,
                                     SmallestGangFirst,
                                     LeastAttainedFirst,
                                     GittinsIndexFirst,
                                     HighestPriorityFirst,
                                     EarliestDeadlineFirst,
                                     HighestValueDensityFirst,
                                     FairShare,
                                     DominantShare,
                                     Multifactor,
                                     FinishTimeFairness>;

}} // namespace bursar::policies
