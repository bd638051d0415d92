#pragma once

#include <string_view>

#include "policies/broker/any_pool.hpp"
#include "policies/broker/cheapest_now.hpp"
#include "policies/broker/owned_first.hpp"
#include "policies/broker/pool_order_change.hpp"
#include "policies/broker/spot_with_fallback.hpp"
#include "policies/policy_list.hpp"

namespace bursar::inline policies {

/// Every way to choose among pools, in the order in which they are listed: the only list. Plans are
/// compiled with it.
using BrokerPolicies = PolicyList<OwnedFirst, AnyPool, CheapestNow, SpotWithFallback>;

/// The orders in which the policy of that name tries the pools of a plan. policy: of the list.
[[nodiscard]] inline PoolOrderChanges
pool_orders_under(std::string_view policy, const PolicyOptions& options, const Plan& plan) {
    PoolOrderChanges changes;
    BrokerPolicies::with(policy, [&]<class Policy>(std::type_identity<Policy>) {
        changes = Policy::orders(plan, options);
    });
    return changes;
}

} // namespace bursar::inline policies
