#include "sim/record/give_back.hpp"

#include <algorithm>
#include <cassert>

#include "models/market/billing.hpp"

#include "sim/plan/pool_prices.hpp"
#include "sim/record/fingerprint.hpp"

namespace bursar::inline sim {
namespace {

/// What holding so many slots of a pool costs in [begin, end).
Money cost_of(
    const Plan& plan, std::size_t pool, std::int64_t slots, Duration begin, Duration end) {
    const PoolPrices prices{plan};
    const auto id = static_cast<PoolId>(pool);
    if (prices.varies(id))
        return prices.of(id).between(begin, end) * slots;
    return plan.pools[pool].rate * slot_time(slots, end - begin);
}

bool is_paid_by_use(const PlanPool& pool) {
    return pool.purchase == Purchase::on_demand || pool.purchase == Purchase::spot;
}

/// Whether the nodes of a pool come and go, and are paid for each by itself.
bool has_launches(const Plan& plan, std::size_t pool) {
    return !plan.provisioning.empty() && !plan.provisioning[pool].is_fixed;
}

} // namespace

void give_back(const Plan& plan, Duration when, Outcome& outcome) {
    assert(when <= outcome.end);
    if (when == outcome.end || std::ranges::none_of(plan.pools, is_paid_by_use))
        return;
    outcome.fingerprint = chain_hash(outcome.fingerprint, static_cast<std::uint64_t>(when.count()));
    const Duration from = std::clamp(when, outcome.window_begin, outcome.window_end);
    for (std::size_t p = 0; p < plan.pools.size(); ++p) {
        const PlanPool& pool = plan.pools[p];
        if (!is_paid_by_use(pool) || has_launches(plan, p))
            continue;
        const std::int64_t slots = pool.num_gpus() * slots_per_gpu;
        const std::size_t idle = outcome.index(p, outcome.num_tenants, Leaf::idle_no_demand);
        outcome.cells[idle] -= slot_time(slots, outcome.window_end - from);
        assert(outcome.cells[idle] >= SlotTime{});
        if (!outcome.money.empty())
            outcome.money[idle] -= cost_of(plan, p, slots, from, outcome.window_end);
        if (plan.measure_to)
            continue;
        const std::size_t unlaunched =
            outcome.index(p, outcome.num_tenants, Leaf::unavail_reserved_unlaunched);
        const Duration paid = std::max(billed(when, pool.billing_step), from);
        outcome.cells[unlaunched] = slot_time(slots, paid - from);
        if (!outcome.money.empty())
            outcome.money[unlaunched] = cost_of(plan, p, slots, from, paid);
    }
}

void end_launched_nodes(Plan& plan, Duration when) {
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        if (!has_launches(plan, pool))
            continue;
        WorldEvent event;
        event.time_ms = when.count();
        event.pool = StoredPoolId{static_cast<std::uint16_t>(pool)};
        event.kind = WorldEventKind::pool_ends;
        const auto later = std::ranges::upper_bound(
            plan.world, event.time_ms, {}, [](const WorldEvent& of) { return of.time_ms; });
        plan.world.insert(later, event);
    }
}

} // namespace bursar::inline sim
