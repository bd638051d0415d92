#pragma once

#include <cstdint>

#include "sim/engine/state/run_state.hpp"
#include "sim/engine/world/leaving_node.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/world_event.hpp"

/// Events of the world, and their effect on nodes and attempts. One lane calls these functions.
namespace bursar { inline namespace sim {

/// Ends a node; the recorder receives its paid time.
template <class Engine>
BURSAR_HD void end_node(Engine& engine, PoolId pool, std::uint32_t node) {
    RunState& state = engine.state();
    const std::int64_t launch_ms = state.fleet.node(pool, node).paid_from_ms;
    engine.recorder().paid(
        pool, launch_ms, state.fleet.end(state.ledger, pool, node, state.now_ms));
}

/// Reclaims a node: attempts on it have `notice_ms` to save their state, and end by then.
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

template <class Engine>
BURSAR_HD void apply(Engine& engine, const SupplyChange& event) {
    RunState& state = engine.state();
    state.fleet.at(event.pool).supply = event.num_nodes;
    while (state.fleet.num_excess(event.pool) > 0 && state.status == RunStatus::ok)
        reclaim(engine, event.pool, state.fleet.next_reclaimed(event.pool), event.notice_ms);
}

/// Takes a node out of service: its attempts are stopped, and a spare replaces it.
template <class Engine>
BURSAR_HD void apply(Engine& engine, const NodeOffline& event) {
    Fleet& fleet = engine.state().fleet;
    const NodePhase phase = fleet.node(event.pool, event.node).phase;
    if (phase != NodePhase::up && phase != NodePhase::closed && phase != NodePhase::spare)
        return;
    fleet.break_down(event.pool, event.node, event.cause);
    if (phase == NodePhase::spare) // nothing runs there
        return;
    fleet.call_spare(event.pool, engine.state().now_ms);
    if (phase == NodePhase::up)
        set_offline(engine, event.pool, event.node, true);
    stop_work(engine, {event.pool, event.node, event.cause, event.hold_ms, 0});
}

template <class Engine>
BURSAR_HD void apply(Engine& engine, const NodeOnline& event) {
    Fleet& fleet = engine.state().fleet;
    if (fleet.is_broken(event.pool, event.node, event.cause) &&
        fleet.repair(event.pool, event.node))
        set_offline(engine, event.pool, event.node, false);
}

template <class Engine>
BURSAR_HD void apply(Engine& engine, const NodeCloses& event) {
    Fleet& fleet = engine.state().fleet;
    if (fleet.node(event.pool, event.node).phase != NodePhase::up)
        return;
    fleet.close_node(event.pool, event.node);
    set_offline(engine, event.pool, event.node, true);
}

template <class Engine>
BURSAR_HD void apply(Engine& engine, const StopJob& event) {
    const FewAttempts own = first_attempts(
        engine,
        [&](const Attempt& attempt) {
            return attempt.job == event.job && is_at_work(engine, attempt);
        },
        [](const Attempt&, const Attempt&) { return false; });
    if (own.size > 0)
        stop_for(engine, own.slots[0], event.cause, event.hold_ms);
}

template <class Engine>
BURSAR_HD void apply(Engine& engine, const OrderChange& event) {
    engine.state().pool_orders.change(engine.plan(), event);
    engine.note_capacity_changed(PoolId{0}, 0); // waiting jobs may prefer other pools now
}

template <class Engine>
BURSAR_HD void apply(Engine& engine, const PoolAdmission& event) {
    RunState& state = engine.state();
    CauseSet& closed_by = state.fleet.at(event.pool).closed_by;
    if (event.opens)
        closed_by.erase(event.cause);
    else
        closed_by.insert(event.cause);
    state.shapes.admit_on(event.pool, closed_by.is_empty());
    engine.note_capacity_changed(event.pool, 0); // jobs may fit there now
}

template <class Engine>
BURSAR_HD void apply(Engine& engine, const ShapeAdmission& event) {
    engine.state().shapes.admit(event.shape, event.cause, event.opens);
    engine.note_capacity_changed(PoolId{0}, 0);
}

/// A launched node comes up, or a reclaimed one ends: at once, or as soon as attempts that were
/// stopped before have left it, which save their state or wait until a failure is noticed.
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
    cut_teardowns(engine, pool, node);
    const std::int64_t free_ms = free_from_ms(engine, pool, node);
    if (free_ms > state.now_ms)
        state.fleet.postpone(pool, node, free_ms);
    else
        end_node(engine, pool, node);
}

/// An event of the world that is due.
template <class Engine>
BURSAR_HD void apply(Engine& engine, const WorldEvent& event) {
    switch (event.kind()) {
    case WorldEventKind::stop_job:
        return apply(engine, event.as<StopJob>());
    case WorldEventKind::node_offline:
        return apply(engine, event.as<NodeOffline>());
    case WorldEventKind::node_online:
        return apply(engine, event.as<NodeOnline>());
    case WorldEventKind::node_closes:
        return apply(engine, event.as<NodeCloses>());
    case WorldEventKind::supply:
        return apply(engine, event.as<SupplyChange>());
    case WorldEventKind::min_nodes: {
        const auto change = event.as<MinNodesChange>();
        engine.state().fleet.at(change.pool).min_nodes = change.num_nodes;
        return;
    }
    case WorldEventKind::pool_order:
        return apply(engine, event.as<OrderChange>());
    case WorldEventKind::launches: {
        const auto change = event.as<LaunchesChange>();
        engine.state().fleet.at(change.pool).launches_fail = !change.succeed;
        return;
    }
    case WorldEventKind::pool_admits:
        return apply(engine, event.as<PoolAdmission>());
    case WorldEventKind::shape_admits:
        return apply(engine, event.as<ShapeAdmission>());
    case WorldEventKind::run_closes:
        engine.state().is_closing = true;
        return;
    }
}

/// Stops jobs that fail by their own fault at this instant, the last job first.
template <class Engine>
BURSAR_HD void fail_jobs(Engine& engine) {
    const RunPlan& plan = engine.plan();
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

}} // namespace bursar::sim
