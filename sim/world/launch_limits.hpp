#pragma once

#include <cstdint>

#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/world/node_life.hpp"

/// What keeps nodes from being launched though they could be had: quotas, and launches that failed.
namespace bursar { inline namespace sim {

/// Nodes that a quota leaves over.
[[nodiscard]] BURSAR_HD inline std::int64_t
room_under(const PlanView& plan, const PoolLife* pools, const PlanQuota& quota) {
    std::int64_t room = quota.max_nodes;
    for (PoolId pool{0}; pool < plan.num_pools; ++pool)
        if ((quota.pools >> pool & 1U) != 0)
            room -= pools[pool].num_launched();
    return room > 0 ? room : 0;
}

/// Nodes that all quotas of a pool leave over; horizon_ms: it has none.
[[nodiscard]] BURSAR_HD inline std::int64_t
room_under_quotas(const PlanView& plan, const PoolLife* pools, PoolId of_pool) {
    std::int64_t least = horizon_ms;
    for (std::uint32_t i = 0; i < plan.num_quotas; ++i) {
        if ((plan.quotas[i].pools >> of_pool & 1U) == 0)
            continue;
        const std::int64_t room = room_under(plan, pools, plan.quotas[i]);
        least = room < least ? room : least;
    }
    return least;
}

/// A rule as it is followed now: where no job may start nothing is kept for one.
[[nodiscard]] BURSAR_HD inline PlanProvisioning followed_now(PlanProvisioning rule,
                                                             const PoolLife& life) {
    if (!life.closed_by.is_empty()) [[unlikely]] {
        rule.warm_nodes = 0;
        rule.idle_timeout_ms = 0;
        rule.cancels_boots = true;
    }
    return rule;
}

/// So many launches have failed: the next ones wait, twice as long as the last time, and another
/// pool may have what is needed at once. is_over: nothing more happens from outside, so that these
/// fail for good, and none is tried again.
BURSAR_HD inline void note_failed_launches(PoolLife& life,
                                           const PlanProvisioning& rule,
                                           std::int64_t num,
                                           std::int64_t now_ms,
                                           bool is_over) {
    life.num_failed_launches += static_cast<std::uint64_t>(num);
    const std::int64_t wait = life.waited_ms == 0 ? rule.retry_ms : 2 * life.waited_ms;
    life.waited_ms = wait < rule.max_retry_ms ? wait : rule.max_retry_ms;
    life.retry_ms = is_over ? horizon_ms : now_ms + life.waited_ms;
    life.launch_due_ms = now_ms;
}

}} // namespace bursar::sim
