#pragma once

#include <cstdint>

#include "models/random/philox.hpp"

#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/provisioning.hpp"
#include "sim/world/node_life.hpp"

/// Limits on launches beside the provider's offer: quotas, and waits after failed launches.
namespace bursar { inline namespace sim {

// The order in which a provider reclaims nodes.

/// The nodes of one pool.
struct NodesOfPool {
    const NodeLife* nodes{};
    std::uint32_t num{};
};

[[nodiscard]] BURSAR_HD inline std::uint64_t
reclaim_draw(const NodeLife& life, std::uint32_t node, PoolId pool, std::uint64_t seed) {
    const RandomStream stream{seed, Stream::reclaims};
    return stream.draw(std::uint64_t{pool} << 32U | node, life.num_launches);
}

/// Whether the provider reclaims node `a` before node `b`; ties: the higher number first.
[[nodiscard]] BURSAR_HD inline bool goes_before(
    NodesOfPool of, PoolId pool, const PlanProvisioning& rule, std::uint32_t a, std::uint32_t b) {
    if (rule.reclaims == ReclaimOrder::random) {
        const std::uint64_t of_a = reclaim_draw(of.nodes[a], a, pool, rule.reclaim_seed);
        const std::uint64_t of_b = reclaim_draw(of.nodes[b], b, pool, rule.reclaim_seed);
        return of_a != of_b ? of_a < of_b : a > b;
    }
    const std::int64_t from_a = of.nodes[a].paid_from_ms;
    const std::int64_t from_b = of.nodes[b].paid_from_ms;
    if (from_a == from_b)
        return a > b;
    return (from_a > from_b) == (rule.reclaims == ReclaimOrder::newest);
}

/// The first node to reclaim. Precondition: one is neither off nor draining.
[[nodiscard]] BURSAR_HD inline std::uint32_t
first_reclaimed(NodesOfPool of, PoolId pool, const PlanProvisioning& rule) {
    std::uint32_t first = of.num;
    for (std::uint32_t at = 0; at < of.num; ++at) {
        const NodePhase phase = of.nodes[at].phase;
        if (phase == NodePhase::off || phase == NodePhase::draining)
            continue;
        if (first == of.num || goes_before(of, pool, rule, at, first))
            first = at;
    }
    return first;
}

/// Nodes that a quota still allows.
[[nodiscard]] BURSAR_HD inline std::int64_t
room_under(const PlanView& plan, const PoolLife* pools, const PlanQuota& quota) {
    std::int64_t room = quota.max_nodes;
    for (PoolId pool{0}; pool < plan.num_pools; ++pool)
        if ((quota.pools >> pool & 1U) != 0)
            room -= pools[pool].num_launched();
    return room > 0 ? room : 0;
}

/// Nodes that all quotas of a pool still allow; horizon_ms: it has none.
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

/// The rule that currently applies: a closed pool keeps no nodes for jobs.
[[nodiscard]] BURSAR_HD inline PlanProvisioning followed_now(PlanProvisioning rule,
                                                             const PoolLife& life) {
    if (!life.closed_by.is_empty()) [[unlikely]] {
        rule.warm_nodes = 0;
        rule.idle_timeout_ms = 0;
        rule.cancels_boots = true;
    }
    return rule;
}

/// Records `num` failed launches: the pool waits before the next ones, twice as long as the last
/// time; another pool may launch nodes at once. is_over: no event of the world follows, so launches
/// fail for good and are not retried.
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
