#pragma once

#include <cstdint>

#include "sim/engine/leaving_node.hpp"
#include "sim/engine/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/world_event.hpp"

/// What happens to a run from outside, and what it does to nodes and to attempts. By one lane.
namespace bursar { inline namespace sim {

/// A node ends, and the recorder is told what was paid for it.
template <class Engine>
BURSAR_HD void end_node(Engine& engine, PoolId pool, std::uint32_t node) {
    RunState& state = engine.state();
    const std::int64_t launch_ms = state.fleet.node(pool, node).paid_from_ms;
    engine.recorder().paid(
        pool, launch_ms, state.fleet.end(state.ledger, pool, node, state.now_ms));
}

/// A node is taken back: what runs there has `notice_ms` to save its state, and ends by then.
template <class Engine>
BURSAR_HD void reclaim(Engine& engine, PoolId pool, std::uint32_t node, std::int64_t notice_ms) {
    RunState& state = engine.state();
    ++state.fleet.at(pool).num_reclaimed;
    const NodePhase phase = state.fleet.node(pool, node).phase;
    if (phase == NodePhase::booting) { // nothing runs there
        end_node(engine, pool, node);
        return;
    }
    if (phase == NodePhase::up)
        set_offline(engine, pool, node, true);
    state.fleet.drain(pool, node, state.now_ms + notice_ms);
    if (notice_ms > 0)
        stop_work(engine, {pool, node, StopCause::reclaimed, 0, notice_ms});
}

/// So many nodes of a pool can be had from now on, and others are taken back.
template <class Engine>
BURSAR_HD void change_supply(Engine& engine, const WorldEvent& event) {
    RunState& state = engine.state();
    const PoolId pool{event.pool};
    state.fleet.at(pool).supply = event.node;
    while (state.fleet.num_excess(pool) > 0 && state.status == RunStatus::ok)
        reclaim(engine, pool, state.fleet.next_reclaimed(pool), event.hold_ms);
}

/// A node goes out of service: what runs on it is stopped, and a spare takes its place.
template <class Engine>
BURSAR_HD void take_offline(Engine& engine, const WorldEvent& event) {
    const PoolId pool{event.pool};
    Fleet& fleet = engine.state().fleet;
    const NodePhase phase = fleet.node(pool, event.node).phase;
    if (phase != NodePhase::up && phase != NodePhase::closed && phase != NodePhase::spare)
        return;
    fleet.break_down(pool, event.node, event.cause);
    if (phase == NodePhase::spare) // nothing runs there
        return;
    fleet.call_spare(pool, engine.state().now_ms);
    if (phase == NodePhase::up)
        set_offline(engine, pool, event.node, true);
    stop_work(engine, {pool, event.node, event.cause, event.hold_ms, 0});
}

/// All nodes of a pool that run nothing end, and none can be had any more.
template <class Engine>
BURSAR_HD void end_pool(Engine& engine, PoolId pool) {
    RunState& state = engine.state();
    state.fleet.at(pool).has_ended = true;
    for (std::uint32_t node = 0; node < engine.plan().pools[pool].num_nodes; ++node) {
        const NodePhase phase = state.fleet.node(pool, node).phase;
        if (phase == NodePhase::up)
            set_offline(engine, pool, node, true);
        if (phase != NodePhase::off)
            end_node(engine, pool, node);
    }
}

/// A node that was launched is there, or one that was taken back ends: at once, or as soon as those
/// who only clean up have left it.
template <class Engine>
BURSAR_HD void node_is_due(Engine& engine) {
    RunState& state = engine.state();
    const auto [pool, node] = state.fleet.next();
    if (state.fleet.node(pool, node).phase == NodePhase::booting) {
        state.fleet.boot_ended(pool, node);
        set_offline(engine, pool, node, false);
        return;
    }
    stop_work(engine, {pool, node, StopCause::reclaimed_unsaved, 0, 0});
    const std::int64_t free_ms = free_from_ms(engine, pool, node);
    if (free_ms > state.now_ms)
        state.fleet.postpone(pool, node, free_ms);
    else
        end_node(engine, pool, node);
}

/// An event of the world that is due.
template <class Engine>
BURSAR_HD void happen(Engine& engine, const WorldEvent& event) {
    const PoolId pool{event.pool};
    Fleet& fleet = engine.state().fleet;
    switch (event.kind) {
    case WorldEventKind::stop_job: {
        const FewAttempts own = first_attempts(
            engine,
            [&](const Attempt& attempt) {
                return attempt.job == event.job && is_at_work(engine, attempt);
            },
            [](const Attempt&, const Attempt&) { return false; });
        if (own.size > 0)
            stop_for(engine, own.slots[0], event.cause, event.hold_ms);
        return;
    }
    case WorldEventKind::node_offline:
        take_offline(engine, event);
        return;
    case WorldEventKind::node_closes:
        if (fleet.node(pool, event.node).phase != NodePhase::up)
            return;
        fleet.close_node(pool, event.node);
        set_offline(engine, pool, event.node, true);
        return;
    case WorldEventKind::node_online:
        if (fleet.is_broken(pool, event.node, event.cause) && fleet.repair(pool, event.node))
            set_offline(engine, pool, event.node, false);
        return;
    case WorldEventKind::supply:
        change_supply(engine, event);
        return;
    case WorldEventKind::pool_ends:
        end_pool(engine, pool);
        return;
    case WorldEventKind::min_nodes:
        fleet.at(pool).min_nodes = event.node;
        return;
    case WorldEventKind::pool_order:
        engine.state().pool_orders.change(engine.plan(), event);
        engine.tell_capacity_changed(PoolId{0}, 0); // who waits may be better off elsewhere
        return;
    case WorldEventKind::launches:
        fleet.at(pool).launches_fail = event.node == 0;
        return;
    case WorldEventKind::pool_admits:
        fleet.at(pool).admits = event.node != 0;
        engine.state().shapes.admit_on(pool, event.node != 0);
        engine.tell_capacity_changed(pool, 0); // what fits there is another matter now
        return;
    case WorldEventKind::shape_admits:
        engine.state().shapes.admit(ShapeId{static_cast<std::uint32_t>(event.job)},
                                    event.node != 0);
        engine.tell_capacity_changed(PoolId{0}, 0);
        return;
    case WorldEventKind::run_closes:
        engine.state().is_closing = true;
        return;
    }
}

/// When the world moves next, or running jobs are looked at, where some are; horizon_ms: never.
[[nodiscard]] BURSAR_HD inline std::int64_t
next_world_ms(const PlanView& plan, const RunState& state, bool some_run) {
    std::int64_t due = state.fleet.next_ms();
    const std::int64_t every_ms = plan.migration.every_ms;
    if (every_ms > 0 && some_run && (state.now_ms / every_ms + 1) * every_ms < due)
        due = (state.now_ms / every_ms + 1) * every_ms;
    if (plan.fallbacks != nullptr && state.fallbacks.next_ms() < due)
        due = state.fallbacks.next_ms();
    if (plan.own_failures != nullptr && state.failing.next_ms() < due)
        due = state.failing.next_ms();
    if (state.next_world_event == plan.num_world_events)
        return due;
    const std::int64_t event = plan.world[state.next_world_event].time_ms;
    return event < due ? event : due;
}

/// Jobs that fail by themselves at this instant, the last job first.
template <class Engine>
BURSAR_HD void fail_jobs(Engine& engine) {
    const PlanView& plan = engine.plan();
    RunState& state = engine.state();
    while (state.status == RunStatus::ok) {
        const AttemptId slot = state.failing.last_due(state.attempts, state.now_ms);
        if (slot == LiveAttempts::none())
            return;
        ++state.num_events;
        const Attempt& attempt = state.attempts[slot];
        const std::int64_t hold_ms =
            plan.failures_of(attempt.job_class, PoolId{attempt.pool}).hold_ms;
        stop_for(engine, slot, StopCause::job_failed, hold_ms);
    }
}

/// What the world does at this instant: jobs that fail by themselves, which have worn as far
/// whatever else happens; then events in their order, nodes that are due, and jobs that wait no
/// longer.
template <class Engine>
[[gnu::noinline, gnu::cold]] BURSAR_HD void follow_world(Engine& engine) {
    const PlanView& plan = engine.plan();
    RunState& state = engine.state();
    if (plan.own_failures != nullptr)
        fail_jobs(engine);
    while (state.next_world_event < plan.num_world_events &&
           plan.world[state.next_world_event].time_ms == state.now_ms)
        happen(engine, plan.world[state.next_world_event++]);
    while (state.fleet.is_due(state.now_ms) && state.status == RunStatus::ok)
        node_is_due(engine);
    if (plan.fallbacks != nullptr && state.fallbacks.follow(state.now_ms))
        engine.tell_capacity_changed(PoolId{0}, 0); // who has fallen back may use other pools
}

}} // namespace bursar::sim
