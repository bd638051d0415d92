#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/order/rank.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/engine/world/migrations.hpp"
#include "sim/engine/world/world_events.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

/// Launches nodes, and ends idle ones, after the pass. One lane calls these functions.
namespace bursar { inline namespace sim {

/// Takes nodes offline that are off or spare when the run begins.
template <class Engine>
[[gnu::noinline, gnu::cold]] BURSAR_HD void hide_nodes_off(Engine& engine) {
    for (PoolId pool{0}; pool < engine.plan().num_pools; ++pool)
        for (std::uint32_t node = 0; node < engine.plan().pools[pool].num_nodes; ++node)
            if (engine.state().fleet.node(pool, node).phase != NodePhase::up)
                set_offline(engine, pool, node, true);
}

/// Reads the state of every pool after the pass.
template <class Engine>
BURSAR_HD void read_pools(Engine& engine, Demand& demand) {
    const RunPlan& plan = engine.plan();
    const Fleet& fleet = engine.state().fleet;
    for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
        demand[pool] = {
            engine.capacity().free_slots(pool),
            engine.capacity().num_empty(pool),
            fleet[pool].num(NodePhase::booting),
            0,
            0,
            0,
            fleet.rule(pool).follows_queue ? fleet.num_launchable(pool, engine.state().now_ms) : 0,
            0,
            false};
    }
    for (std::uint32_t quota = 0; quota < plan.num_quotas; ++quota)
        demand.under_quota(quota) = room_under(plan, &fleet[PoolId{0}], plan.quotas[quota]);
}

/// The first waiting job, if no job behind it may start before it, except by backfill; no_job():
/// there is none. All lanes call it.
template <class Engine>
[[nodiscard]] BURSAR_HD Candidate blocking_head(Engine& engine) {
    using Queue = std::remove_reference_t<decltype(engine.queue())>;
    if constexpr (Queue::has.head) {
        if (engine.state().head_blocks && engine.queue().num_jobs() > 0)
            return engine.queue().head(engine.team());
    }
    return {};
}

/// Counts the nodes in use with room for the rest of a gang, before the gang is added.
template <class Engine>
BURSAR_HD void count_nodes_for_rest(Engine& engine, Demand& demand, const JobShape& shape) {
    using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
    if constexpr (!Capacity::counts_only)
        for (PoolId pool{0}; pool < engine.plan().num_pools; ++pool)
            if (demand.has_rest(shape, pool))
                demand[pool].nodes_for_rest = engine.capacity().num_for_rest(pool, shape);
}

template <class Engine>
[[nodiscard]] BURSAR_HD bool fits_now(Engine& engine, const JobShape& shape) {
    using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
    if constexpr (Capacity::has.prepare)
        engine.capacity().prepare(shape);
    return engine.capacity().fits(shape);
}

/// Adds the blocking head, if any. Returns whether other jobs request nodes, too: they do not if
/// the head must wait for running jobs and no job may pass it.
template <class Engine>
BURSAR_HD bool add_head(Engine& engine, Demand& demand, const Candidate& head) {
    if (head.job == Candidate::no_job())
        return true;
    const RunPlan& plan = engine.plan();
    const JobShape& asked = plan.current_shapes[head.shape];
    const std::uint32_t order = order_of(plan, asked, head.job);
    count_nodes_for_rest(engine, demand, asked);
    const std::int64_t num_left = demand.add(asked, order, 1, fits_now(engine, asked));
    return num_left == 0 || engine.state().head_is_passed;
}

/// Adds `num` jobs of a shape that wait, or would wait after a move. head: was added before.
template <class Engine>
BURSAR_HD void add_demand_of(
    Engine& engine, Demand& demand, ShapeId shape, std::uint32_t num, const Candidate& head = {}) {
    const RunPlan& plan = engine.plan();
    const JobShape& asked = plan.current_shapes[shape];
    const bool fits = fits_now(engine, asked);
    count_nodes_for_rest(engine, demand, asked);
    if (plan.saved_in == nullptr) [[likely]] {
        demand.add(asked, asked.order_begin, num, fits);
        return;
    }
    // Jobs without saved state first, then by region. `places` also counts jobs that already have
    // victims or held GPUs; these need no node.
    const SavedPlaces& places = engine.state().saved_places;
    const bool is_heads = head.job != Candidate::no_job() && head.shape == shape;
    const auto num_in = [&](std::uint32_t region) {
        const bool has_head = is_heads && plan.saved_in[head.job] == region + 1;
        return places.num_waiting(shape, region) - (has_head ? 1U : 0U);
    };
    std::uint32_t num_saved = 0;
    for (std::uint32_t region = 0; region < plan.num_regions; ++region)
        num_saved += num_in(region);
    std::uint32_t num_served = num < num_saved ? num_saved - num : 0;
    demand.add(asked, asked.order_begin, num + num_served - num_saved, fits);
    for (std::uint32_t region = 0; region < plan.num_regions; ++region) {
        const std::uint32_t there = num_in(region);
        const std::uint32_t served = num_served < there ? num_served : there;
        const std::uint32_t order = asked.order_begin + (1 + region) * plan.num_pools;
        demand.add(asked, order, there - served, fits);
        num_served -= served;
    }
}

/// Adds all waiting jobs but the blocking head.
template <class Engine>
BURSAR_HD void add_other_jobs(Engine& engine, Demand& demand, const Candidate& head) {
    if (engine.queue().num_jobs() == 0)
        return;
    engine.plan().for_each_waiting_shape([&](ShapeId shape) {
        const bool is_heads = head.job != Candidate::no_job() && head.shape == shape;
        const std::uint32_t num_jobs = engine.queue().num_pending(shape) - (is_heads ? 1U : 0U);
        if (num_jobs > 0)
            add_demand_of(engine, demand, shape, num_jobs, head);
    });
}

/// Running jobs that would move count after waiting jobs. This adds those that would leave their
/// fallback.
template <class Engine>
BURSAR_HD void add_jobs_to_move_back(Engine& engine, Demand& demand) {
    engine.state().fallbacks.for_each_ready(
        [&](JobId job, AttemptId slot) { return works_in(engine, job, slot); },
        [&](JobId job, AttemptId) {
            add_demand_of(engine, demand, engine.plan().shape_of(job), 1);
            return false;
        });
}

/// Adds those that would migrate.
template <class Engine>
BURSAR_HD void add_jobs_to_migrate(Engine& engine, Demand& demand) {
    for_each_migration_candidate(engine,
                                 [&](const JobShape& shape, std::uint32_t order, bool fits_now) {
                                     count_nodes_for_rest(engine, demand, shape);
                                     demand.add(shape, order, 1, fits_now);
                                 });
}

/// Grows with everything that may change demand: arrivals, ends, events of the world,
/// moves, another blocking head.
[[nodiscard]] BURSAR_HD inline std::uint64_t num_demand_changes(const RunState& state) {
    return state.num_events + state.next_world_event + state.fallbacks.num_changes() +
           state.migrations.num_stopped + state.num_head_changes;
}

/// Cancels boots that no job needs, the last node first. Returns how many of these are left.
template <class Engine>
BURSAR_HD std::int64_t
call_off_boots(Engine& engine, PoolId pool, std::int64_t unneeded, std::int64_t wanted) {
    RunState& state = engine.state();
    if (!followed_now(state.fleet.rule(pool), state.fleet[pool]).cancels_boots)
        return unneeded;
    while (unneeded > wanted && state.fleet.num_above_min(pool) > 0) {
        end_node(engine, pool, state.fleet.last_in(pool, NodePhase::booting));
        --unneeded;
    }
    return unneeded;
}

/// Ends nodes that were idle for the pool's idle timeout, the last one first. Returns whether any
/// ended.
template <class Engine>
BURSAR_HD bool end_idle_nodes(Engine& engine, PoolId pool, std::int64_t num_idle) {
    RunState& state = engine.state();
    const std::int64_t removable = state.fleet.num_above_min(pool);
    state.fleet.set_num_idle(pool, num_idle < removable ? num_idle : removable, state.now_ms);
    bool some_ended = false;
    while (state.fleet.idle_ms(pool) <= state.now_ms) {
        const std::uint32_t node = engine.capacity().last_empty(pool);
        state.fleet.forget_first_idle(pool, num_demand_changes(state));
        if (node == engine.plan().pools[pool].num_nodes)
            continue; // jobs without GPUs are on all of them
        set_offline(engine, pool, node, true);
        end_node(engine, pool, node);
        some_ended = true;
    }
    return some_ended;
}

/// Jobs that wait for GPUs of others request no nodes, but keep what is free already.
template <class Engine, class Pass>
BURSAR_HD void keep_for_claims(Engine& engine, const Pass& pass, Demand& demand) {
    if constexpr (Pass::has.for_each_claim)
        pass.for_each_claim([&](const Candidate& job, PoolId pool) {
            demand.keep(engine.plan().current_shapes[job.shape], pool);
        });
}

/// Measures demand if launches or ends depend on it. Returns whether they do.
template <class Engine, class Pass>
BURSAR_HD bool
measure_demand(Engine& engine, const Pass& pass, Demand& demand, const Candidate& head) {
    PoolId pool{0};
    while (pool < engine.plan().num_pools && !engine.state().fleet.follows_demand(pool))
        ++pool;
    if (pool == engine.plan().num_pools)
        return false;
    read_pools(engine, demand);
    keep_for_claims(engine, pass, demand);
    if (!add_head(engine, demand, head))
        return true;
    add_other_jobs(engine, demand, head);
    if (engine.plan().fallbacks != nullptr)
        add_jobs_to_move_back(engine, demand);
    if (engine.plan().migration.is_on)
        add_jobs_to_migrate(engine, demand);
    return true;
}

/// Launches and ends nodes by each pool's rule. A boot may end at this instant. Returns whether
/// nodes that could take work have ended. head: blocking_head().
template <class Engine, class Pass>
[[gnu::noinline, gnu::cold]] BURSAR_HD bool
provision(Engine& engine, const Pass& pass, const Candidate& head) {
    std::uint64_t freed_in = 0; // pools with fewer nodes
    bool some_ended = false;
    RunState& state = engine.state();
    state.num_head_changes += head.job != state.last_head ? 1 : 0;
    state.last_head = head.job;
    const bool is_over = state.next_world_event == engine.plan().num_world_events;
    Demand& demand = state.demand;
    state.fallbacks.ignore_claims(true); // jobs request nodes of their own, beside claimed ones
    const bool has_demand = measure_demand(engine, pass, demand, head);
    state.fallbacks.ignore_claims(false);
    for (PoolId pool{0}; pool < engine.plan().num_pools; ++pool) {
        const PlanProvisioning rule = followed_now(state.fleet.rule(pool), state.fleet[pool]);
        if (rule.is_fixed)
            continue;
        if (!has_demand) { // no rule depends on jobs: only the least numbers are launched
            state.fleet.launch_some(pool, 0, state.now_ms, num_demand_changes(state), is_over);
            state.fleet.set_num_idle(pool, 0, state.now_ms);
            continue;
        }
        const std::int64_t needed = demand[pool].num_launched;
        const std::int64_t booting = demand[pool].booting_nodes; // not needed by a job
        const std::int64_t spare = demand[pool].empty_nodes;
        const std::int64_t warm = rule.warm_nodes;
        const std::int64_t unneeded =
            call_off_boots(engine, pool, booting, warm > spare ? warm - spare : 0);
        const std::int64_t lacking = warm - spare - unneeded;
        state.fleet.launch_some(pool,
                                needed + (lacking > 0 ? lacking : 0),
                                state.now_ms,
                                num_demand_changes(state),
                                is_over);
        const bool ended = end_idle_nodes(engine, pool, spare > warm ? spare - warm : 0);
        some_ended |= ended;
        if (ended || unneeded != booting)
            freed_in |= std::uint64_t{1} << pool;
    }
    // Also for pools whose nodes ended unused after others of their quota had called off boots, and
    // for pools before those that have ended nodes.
    for (PoolId pool{0}; pool < engine.plan().num_pools; ++pool)
        if ((freed_in >> pool & 1U) != 0)
            state.fleet.note_quota_freed(pool);
    state.fleet.note_timers();
    if (freed_in != 0)
        state.fleet.follow_rules_again(state.now_ms);
    return some_ended;
}

}} // namespace bursar::sim
