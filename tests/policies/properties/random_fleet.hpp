#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/plan/plan.hpp"

#include "tests/properties.hpp"

namespace bursar::test {

/// Quotas below the sum of the pools' sizes.
inline void draw_quotas(Plan& plan) {
    for (int quotas = drawn::in_range(0, 3); quotas > 0; --quotas)
        plan.quotas.push_back(
            {drawn::in_range<std::uint64_t>(1, 1U << plan.pools.size()), drawn::in_range(1U, 6U)});
}

/// Makes the nodes of some pools of a plan come and go, by demand, by schedule and by reclaims,
/// with launches that may fail; other pools have spares.
inline void draw_fleet(Plan& plan) {
    draw_quotas(plan);
    const auto half_seconds = [](int end) { return drawn::in_range(0, end) * 500; };
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        PlanProvisioning& rule = plan.provisioning.emplace_back();
        rule.is_fixed = drawn::in_range(0, 4) == 0;
        const std::uint32_t num_nodes = plan.pools[pool].num_nodes;
        if (rule.is_fixed) {
            rule.spare_nodes = drawn::in_range(0U, num_nodes);
            rule.takeover_ms = half_seconds(8);
            continue;
        }
        plan.pools[pool].purchase = Purchase::spot;
        plan.pools[pool].billing_step = Duration{drawn::one_of(1, 1'000, 7'000)};
        rule.first_nodes = drawn::in_range(0U, num_nodes + 1);
        rule.min_nodes = drawn::in_range(0U, num_nodes + 1);
        rule.follows_queue = drawn::in_range(0, 4) != 0;
        rule.warm_nodes = rule.follows_queue ? drawn::in_range(0U, 2U) : 0;
        rule.cancels_boots = drawn::boolean();
        rule.reclaims =
            drawn::one_of(ReclaimOrder::newest, ReclaimOrder::oldest, ReclaimOrder::random);
        rule.reclaim_seed = drawn::in_range(0U, 10U);
        rule.idle_timeout_ms = half_seconds(12);
        rule.launch_every_ms = drawn::one_of(0, 0, 1'500, 4'000);
        if (rule.launch_every_ms > 0 && drawn::boolean())
            rule.max_launches = drawn::in_range(1U, 3U);
        rule.min_paid_ms = drawn::one_of(0, 0, 9'000);
        rule.boot_begin = static_cast<std::uint32_t>(plan.boot_ms.size());
        rule.boot_bits = drawn::in_range(0U, 3U);
        for (std::uint32_t i = 0; i < 1U << rule.boot_bits; ++i)
            plan.boot_ms.push_back(half_seconds(8));
        const PoolId id{pool};
        const auto draw_nodes = [&] { return drawn::in_range(0U, num_nodes + 1); };
        for (int changes = drawn::in_range(0, 5); changes > 0; --changes) {
            const std::int64_t notice_ms = half_seconds(10);
            const std::int64_t time_ms = half_seconds(80);
            plan.world.emplace_back(time_ms, SupplyChange{id, draw_nodes(), notice_ms});
        }
        for (int changes = drawn::in_range(0, 3); changes > 0; --changes) {
            const std::int64_t time_ms = half_seconds(80);
            plan.world.emplace_back(time_ms, MinNodesChange{id, draw_nodes()});
        }
        rule.retry_ms = 500 + half_seconds(4);
        rule.max_retry_ms = rule.retry_ms + half_seconds(12);
        for (int changes = drawn::in_range(0, 4); changes > 0; --changes) {
            const std::int64_t time_ms = half_seconds(80);
            plan.world.emplace_back(time_ms, LaunchesChange{id, drawn::in_range(0U, 2U) == 1});
        }
    }
    std::ranges::stable_sort(plan.world, {}, &WorldEvent::time_ms);
}

} // namespace bursar::test
