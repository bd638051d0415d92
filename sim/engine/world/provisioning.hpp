#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/engine/state/run_state.hpp"
#include "sim/engine/world/migrations.hpp"
#include "sim/engine/world/world_events.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/run_plan.hpp"

/// Launching nodes, and ending those that nobody needs, once the pass has decided. By one lane.
namespace bursar { inline namespace sim {

/// Nodes that are off or kept aside when the run begins take no work.
template <class Engine>
[[gnu::noinline, gnu::cold]] BURSAR_HD void hide_nodes_off(Engine& engine) {
    for (PoolId pool{0}; pool < engine.plan().num_pools; ++pool)
        for (std::uint32_t node = 0; node < engine.plan().pools[pool].num_nodes; ++node)
            if (engine.state().fleet.node(pool, node).phase != NodePhase::up)
                set_offline(engine, pool, node, true);
}

/// What there is of every pool, as the pass left it.
template <class Engine>
BURSAR_HD void look_at_pools(Engine& engine, Demand& demand) {
    const RunPlan& plan = engine.plan();
    const Fleet& fleet = engine.state().fleet;
    for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
        demand[pool] = {
            engine.capacity().free_slots(pool),
            engine.capacity().num_empty(pool),
            fleet[pool].num(NodePhase::booting),
            0,
            fleet.rule(pool).follows_queue ? fleet.num_launchable(pool, engine.state().now_ms) : 0,
            0};
    }
    for (std::uint32_t quota = 0; quota < plan.num_quotas; ++quota)
        demand.under_quota(quota) = room_under(plan, &fleet[PoolId{0}], plan.quotas[quota]);
}

/// Of a shape that so many jobs wait with, or would.
template <class Engine>
BURSAR_HD void ask_for_shape(Engine& engine, Demand& demand, ShapeId shape, std::uint32_t num) {
    const RunPlan& plan = engine.plan();
    const JobShape& asked = plan.current_shapes[shape];
    using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
    if constexpr (Capacity::has.prepare)
        engine.capacity().prepare(asked);
    const bool fits_now = engine.capacity().fits(asked);
    if (plan.saved_in == nullptr) [[likely]]
        return demand.ask(asked, asked.order_begin, num, fits_now);
    // Those who have saved nothing first, then region by region. Of these whom room is made for are
    // counted, too, and do not ask.
    const SavedPlaces& places = engine.state().saved_places;
    std::uint32_t num_saved = 0;
    for (std::uint32_t region = 0; region < plan.num_regions; ++region)
        num_saved += places.num_waiting(shape, region);
    std::uint32_t num_served = num < num_saved ? num_saved - num : 0;
    demand.ask(asked, asked.order_begin, num + num_served - num_saved, fits_now);
    for (std::uint32_t region = 0; region < plan.num_regions; ++region) {
        const std::uint32_t there = places.num_waiting(shape, region);
        const std::uint32_t served = num_served < there ? num_served : there;
        const std::uint32_t order = asked.order_begin + (1 + region) * plan.num_pools;
        demand.ask(asked, order, there - served, fits_now);
        num_served -= served;
    }
}

template <class Engine>
BURSAR_HD void ask_for_those_who_wait(Engine& engine, Demand& demand) {
    if (engine.queue().num_jobs() == 0)
        return;
    engine.plan().for_each_waiting_shape([&](ShapeId shape) {
        const std::uint32_t num_jobs = engine.queue().num_pending(shape);
        if (num_jobs > 0)
            ask_for_shape(engine, demand, shape, num_jobs);
    });
}

/// Who would rather run elsewhere asks behind those who wait; here after a fallback.
template <class Engine>
BURSAR_HD void ask_for_those_who_move(Engine& engine, Demand& demand) {
    engine.state().fallbacks.for_each_ready(
        [&](JobId job, AttemptId slot) { return works_in(engine, job, slot); },
        [&](JobId job, AttemptId) {
            ask_for_shape(engine, demand, engine.plan().shape_of(job), 1);
            return false;
        });
}

/// The same of those who migrate.
template <class Engine>
BURSAR_HD void ask_for_those_who_migrate(Engine& engine, Demand& demand) {
    for_each_that_would_migrate(engine,
                                [&](const JobShape& shape, std::uint32_t order, bool fits_now) {
                                    demand.ask(shape, order, 1, fits_now);
                                });
}

/// Grows with everything that may change who needs what: arrivals, ends, events of the world,
/// moves.
[[nodiscard]] BURSAR_HD inline std::uint64_t num_news(const RunState& state) {
    return state.num_events + state.next_world_event + state.fallbacks.num_changes() +
           state.migrations.num_stopped;
}

/// Calls off boots that nobody waits for, the last node first; how many nodes boot for nobody.
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

/// Ends nodes that nobody needed for the pool's idle timeout, the last one first; whether there
/// were any.
template <class Engine>
BURSAR_HD bool end_idle_nodes(Engine& engine, PoolId pool, std::int64_t num_spare) {
    RunState& state = engine.state();
    const std::int64_t removable = state.fleet.num_above_min(pool);
    state.fleet.note_spare(pool, num_spare < removable ? num_spare : removable, state.now_ms);
    bool some_ended = false;
    while (state.fleet.idle_ms(pool) <= state.now_ms) {
        const std::uint32_t node = engine.capacity().last_empty(pool);
        state.fleet.forget_spare(pool, num_news(state));
        if (node == engine.plan().pools[pool].num_nodes)
            return some_ended; // a job without GPUs is there
        set_offline(engine, pool, node, true);
        end_node(engine, pool, node);
        some_ended = true;
    }
    return some_ended;
}

/// Asks those who wait, where what is launched and ended depends on it; whether it does.
template <class Engine>
BURSAR_HD bool ask_for_demand(Engine& engine, Demand& demand) {
    PoolId pool{0};
    while (pool < engine.plan().num_pools && !engine.state().fleet.follows_demand(pool))
        ++pool;
    if (pool == engine.plan().num_pools)
        return false;
    look_at_pools(engine, demand);
    ask_for_those_who_wait(engine, demand);
    if (engine.plan().fallbacks != nullptr)
        ask_for_those_who_move(engine, demand);
    if (engine.plan().migration.is_on)
        ask_for_those_who_migrate(engine, demand);
    return true;
}

/// Launches and ends nodes as each pool's rule says. What is launched is due after its boot, which
/// may be now. Returns whether nodes have ended that could have taken work.
template <class Engine>
[[gnu::noinline, gnu::cold]] BURSAR_HD bool provision(Engine& engine) {
    bool some_ended = false;
    bool some_called_off = false;
    RunState& state = engine.state();
    const bool is_over = state.next_world_event == engine.plan().num_world_events;
    Demand& demand = state.demand;
    const bool has_demand = ask_for_demand(engine, demand);
    for (PoolId pool{0}; pool < engine.plan().num_pools; ++pool) {
        const PlanProvisioning rule = followed_now(state.fleet.rule(pool), state.fleet[pool]);
        if (rule.is_fixed)
            continue;
        if (!has_demand) { // it has no node that may end, and lacks what it must have at least
            state.fleet.launch_some(pool, 0, state.now_ms, num_news(state), is_over);
            state.fleet.note_spare(pool, 0, state.now_ms);
            continue;
        }
        const std::int64_t needed = demand[pool].num_launched;
        const std::int64_t booting = demand[pool].booting_nodes; // for nobody yet
        const std::int64_t spare = demand[pool].empty_nodes;
        const std::int64_t warm = rule.warm_nodes;
        const std::int64_t unneeded =
            call_off_boots(engine, pool, booting, warm > spare ? warm - spare : 0);
        some_called_off |= unneeded != booting;
        const std::int64_t lacking = warm - spare - unneeded;
        state.fleet.launch_some(
            pool, needed + (lacking > 0 ? lacking : 0), state.now_ms, num_news(state), is_over);
        some_ended |= end_idle_nodes(engine, pool, spare > warm ? spare - warm : 0);
    }
    state.fleet.note_timers();
    if (some_ended || some_called_off)
        state.fleet.look_again(state.now_ms);
    return some_ended;
}

}} // namespace bursar::sim
