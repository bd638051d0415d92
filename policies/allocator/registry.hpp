#pragma once

#include "policies/allocator/earliest_deadline.hpp"
#include "policies/allocator/elasticflow.hpp"
#include "policies/allocator/fifo_cost.hpp"
#include "policies/allocator/fifo_perf.hpp"
#include "policies/allocator/finish_time.hpp"
#include "policies/allocator/makespan.hpp"
#include "policies/allocator/max_min.hpp"
#include "policies/allocator/min_cost.hpp"
#include "policies/allocator/none.hpp"
#include "policies/allocator/optimus.hpp"
#include "policies/allocator/pollux.hpp"
#include "policies/allocator/quotas.hpp"
#include "policies/allocator/sia.hpp"
#include "policies/describe/policy_list.hpp"

namespace bursar { inline namespace policies {

/// Every allocator, in the order of `bursar policies`. This is the only list.
using AllocatorPolicies = PolicyList<NoAllocator,
                                     FifoPerf,
                                     FifoCost,
                                     MaxMinFairness,
                                     FinishTimeAllocation,
                                     Makespan,
                                     MinCost,
                                     Optimus,
                                     Pollux,
                                     Sia,
                                     EarliestDeadlineAllocation,
                                     ElasticFlow,
                                     Quotas>;

}} // namespace bursar::policies
