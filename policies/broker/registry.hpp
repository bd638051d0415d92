#pragma once

#include <string_view>

#include "policies/broker/any_pool.hpp"
#include "policies/broker/cheapest_including_risk.hpp"
#include "policies/broker/cheapest_now.hpp"
#include "policies/broker/cost_of_work.hpp"
#include "policies/broker/migrate.hpp"
#include "policies/broker/owned_first.hpp"
#include "policies/broker/pool_orders.hpp"
#include "policies/broker/spot_with_fallback.hpp"
#include "policies/describe/policy_list.hpp"

namespace bursar { inline namespace policies {

/// Every broker, in the order of `bursar policies`. This is the only list. Plans are compiled with
/// it.
using BrokerPolicies =
    PolicyList<OwnedFirst, AnyPool, CheapestNow, CheapestIncludingRisk, SpotWithFallback>;

/// Whether jobs of different kinds have different orders under the policy of that name.
[[nodiscard]] inline bool orders_by_kind(std::string_view policy) {
    return policy == CheapestIncludingRisk::name;
}

/// Whether the policy of that name places or moves work where it expects the lowest cost.
[[nodiscard]] inline bool goes_by_cost(std::string_view policy, const PolicyOptions& options) {
    return (policy != OwnedFirst::name && policy != AnyPool::name) || migrates(options);
}

/// The orders in which the policy of that name tries the pools of a plan, for jobs of a kind. The
/// plan has its prices and its world. policy: of the list.
[[nodiscard]] inline PoolOrderChanges pool_orders_under(std::string_view policy,
                                                        const PolicyOptions& options,
                                                        const Plan& plan,
                                                        const JobKind& kind = {}) {
    PoolOrderChanges changes;
    BrokerPolicies::with(policy, [&]<class Policy>(std::type_identity<Policy>) {
        if constexpr (requires { Policy::orders(plan, options, kind); })
            changes = Policy::orders(plan, options, kind);
        else
            changes = Policy::orders(plan, options);
    });
    return changes;
}

}} // namespace bursar::policies
