#pragma once

#include <cstdint>

#include "models/random/philox.hpp"

#include "sim/plan/ids.hpp"
#include "sim/plan/provisioning.hpp"
#include "sim/world/node_life.hpp"

/// Which nodes go when a provider takes some back.
namespace bursar { inline namespace sim {

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

/// Whether a provider takes node `a` back before node `b`; ties: the higher number first.
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

/// The node that goes first. Precondition: one is neither off nor draining.
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

}} // namespace bursar::sim
