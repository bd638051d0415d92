#include "sim/record/give_back.hpp"

#include <algorithm>
#include <cassert>

#include "models/market/billing.hpp"

#include "sim/plan/pool_prices.hpp"
#include "sim/record/fingerprint.hpp"

namespace bursar { inline namespace sim {
namespace {

/// The cost of holding slots of a pool in [begin, end).
Money cost_of(
    const Plan& plan, std::size_t pool, std::int64_t slots, Duration begin, Duration end) {
    const PoolPrices prices{plan};
    const auto id = static_cast<PoolId>(pool);
    if (prices.varies(id))
        return prices.of(id).between(begin, end) * slots;
    return plan.pools[pool].rate * slot_time(slots, end - begin);
}

/// The same for the intensity of its grid; zero where that is constant. Precondition: Plan::grid is
/// not empty.
GridTime
grid_of(const Plan& plan, std::size_t pool, std::int64_t slots, Duration begin, Duration end) {
    const std::uint16_t series = plan.grid.series[pool];
    if (series == PlanMeter::no_series)
        return {};
    return GridTime{plan.grid.integrals.of(series).between(begin, end).count()} * slots;
}

bool is_paid_by_use(const PlanPool& pool) {
    return pool.purchase == Purchase::on_demand || pool.purchase == Purchase::spot;
}

/// Whether the nodes of a pool come and go, and are paid for individually.
bool has_launches(const Plan& plan, std::size_t pool) {
    return !plan.provisioning.empty() && !plan.provisioning[pool].is_fixed;
}

/// Gives a pool back in a static world: all of it is idle without demand.
void take_idle(const Plan& plan, std::size_t pool, Duration from, Outcome& outcome) {
    const std::int64_t slots = plan.pools[pool].num_gpus() * slots_per_gpu;
    const std::size_t idle = outcome.index(pool, outcome.num_tenants, Leaf::idle_no_demand);
    outcome.cells[idle] -= slot_time(slots, outcome.window_end - from);
    assert(outcome.cells[idle] >= SlotTime{});
    if (!outcome.money.empty())
        outcome.money[idle] -= cost_of(plan, pool, slots, from, outcome.window_end);
    if (!outcome.grid.empty())
        outcome.grid[idle] -= grid_of(plan, pool, slots, from, outcome.window_end);
}

/// Gives a pool back in a dynamic world: the time held by no tenant, in any leaf.
void take_unheld(const Plan& plan, std::size_t pool, Outcome& outcome) {
    for (std::size_t leaf = 0; leaf < num_leaves; ++leaf) {
        const std::size_t i = outcome.index(pool, outcome.num_tenants, static_cast<Leaf>(leaf));
        const BookedTime& unheld = outcome.unheld[pool * num_leaves + leaf];
        outcome.cells[i] -= unheld.held;
        assert(outcome.cells[i] >= SlotTime{});
        if (!outcome.money.empty())
            outcome.money[i] -=
                plan.pools[pool].has_series() ? unheld.cost : plan.pools[pool].rate * unheld.held;
        if (!outcome.grid.empty())
            outcome.grid[i] -= unheld.grid;
    }
}

bool is_given_back(const Plan& plan, std::size_t pool) {
    return is_paid_by_use(plan.pools[pool]) && !has_launches(plan, pool);
}

} // namespace

bool gives_back(const Plan& plan) {
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool)
        if (is_given_back(plan, pool))
            return true;
    return false;
}

void give_back(const Plan& plan, Duration when, Outcome& outcome) {
    assert(when <= outcome.end);
    if (when == outcome.end || std::ranges::none_of(plan.pools, is_paid_by_use))
        return;
    outcome.fingerprint = chain_hash(outcome.fingerprint, static_cast<std::uint64_t>(when.count()));
    const Duration from = std::clamp(when, outcome.window_begin, outcome.window_end);
    for (std::size_t p = 0; p < plan.pools.size(); ++p) {
        if (!is_given_back(plan, p))
            continue;
        if (!outcome.unheld.empty())
            take_unheld(plan, p, outcome);
        else
            take_idle(plan, p, from, outcome);
        if (plan.measure_to)
            continue;
        const PlanPool& pool = plan.pools[p];
        const std::int64_t slots = pool.num_gpus() * slots_per_gpu;
        const std::size_t unlaunched =
            outcome.index(p, outcome.num_tenants, Leaf::unavail_reserved_unlaunched);
        const Duration paid = std::max(billed(when, pool.billing_step), from);
        outcome.cells[unlaunched] = slot_time(slots, paid - from);
        if (!outcome.money.empty())
            outcome.money[unlaunched] = cost_of(plan, p, slots, from, paid);
        if (!outcome.grid.empty())
            outcome.grid[unlaunched] = grid_of(plan, p, slots, from, paid);
    }
}

void end_launched_nodes(Plan& plan, Duration when) {
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        if (!has_launches(plan, pool))
            continue;
        const WorldEvent event{when.count(), PoolEnds{PoolId{pool}}};
        const auto later = std::ranges::upper_bound(
            plan.world, event.time_ms, {}, [](const WorldEvent& of) { return of.time_ms; });
        plan.world.insert(later, event);
    }
}

}} // namespace bursar::sim
