#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/engine/attempts/attempt_bill.hpp"
#include "sim/engine/attempts/event_key.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/plan/world_event.hpp"
#include "sim/world/offline_split.hpp"

/// What happens to a run from outside, and what it does to nodes and to attempts. By one lane. Cost
/// of what takes a node away: a look at every attempt, and one more for each that is stopped.
namespace bursar::inline sim {

/// Whether an attempt can be stopped: it was not, and its work has not ended.
template <class Engine>
[[nodiscard]] BURSAR_HD bool is_at_work(Engine& engine, const Attempt& attempt) {
    return !attempt.is_stopped() &&
           span_of(engine.plan(), attempt).work_end_ms > engine.state().now_ms;
}

/// Some attempts in order: as many as are looked for at a time.
struct FewAttempts {
    static constexpr std::uint32_t max_size = 16;

    AttemptId slots[max_size]{};
    std::uint32_t size{};

    [[nodiscard]] BURSAR_HD bool is_full() const { return size == max_size; }
};

/// The first attempts that hold GPUs and pass `test(attempt)`, in the order of `comes_before(a,
/// b)`. Cost: one look at every attempt, of which few are put in order.
template <class Engine, class Test, class Before>
[[nodiscard]] BURSAR_HD FewAttempts first_attempts(Engine& engine,
                                                   const Test& test,
                                                   const Before& comes_before) {
    FewAttempts first;
    const LiveAttempts& attempts = engine.state().attempts;
    const auto precedes = [&](const Attempt& attempt, std::uint32_t place) {
        return comes_before(attempt, attempts[first.slots[place]]);
    };
    engine.events().for_each([&](EventKey event) {
        const Attempt& attempt = attempts[event.attempt()];
        if ((first.is_full() && !precedes(attempt, first.size - 1)) || !test(attempt))
            return;
        std::uint32_t place = first.is_full() ? first.size - 1 : first.size++;
        for (; place > 0 && precedes(attempt, place - 1); --place)
            first.slots[place] = first.slots[place - 1];
        first.slots[place] = event.attempt();
    });
    return first;
}

/// A node that work must leave, and how.
struct Leaving {
    PoolId pool{};
    std::uint32_t node{};
    StopCause cause{};
    std::int64_t hold_ms{};   ///< abrupt causes: for how long its GPUs are held until it is noticed
    std::int64_t notice_ms{}; ///< stops only who has saved by then; 0: everybody
};

template <class Engine>
BURSAR_HD void stop_for(Engine& engine, AttemptId slot, StopCause cause, std::int64_t hold_ms) {
    const RunState& state = engine.state();
    engine.stop(slot, stop_now(engine.plan(), state.attempts[slot], cause, state.now_ms, hold_ms));
}

/// Whether a stop now leaves an attempt the time to save its state. Who does not save as it is
/// stopped gains nothing by a notice, and works on.
template <class Engine>
[[nodiscard]] BURSAR_HD bool
saves_in_time(Engine& engine, const Attempt& attempt, const Leaving& leaving) {
    if (leaving.notice_ms == 0)
        return true;
    const PlanClass& job_class = engine.plan().classes[attempt.job_class];
    if (!saves_at_stop(job_class.checkpoint, leaving.cause))
        return false;
    const std::int64_t now_ms = engine.state().now_ms;
    const Stop stop = stop_now(engine.plan(), attempt, leaving.cause, now_ms);
    return stop.release_ms - now_ms <= leaving.notice_ms;
}

/// Under `capacity: count`: the youngest attempts of the pool leave until those that stay, and
/// those that leave and hold their GPUs yet, have as many as there are.
template <class Engine>
BURSAR_HD void stop_youngest(Engine& engine, const Leaving& leaving) {
    const LiveAttempts& attempts = engine.state().attempts;
    const auto slots_of = [&](const Attempt& attempt) {
        return engine.plan().shapes[attempt.shape].slots();
    };
    const auto is_younger = [](const Attempt& a, const Attempt& b) {
        return a.start_ms != b.start_ms ? a.start_ms > b.start_ms : a.job > b.job;
    };
    std::int64_t balance = engine.capacity().balance(leaving.pool);
    if (balance >= 0)
        return;
    engine.events().for_each([&](EventKey pending) {
        const Attempt& attempt = attempts[pending.attempt()];
        if (attempt.is_stopped() && attempt.pool == leaving.pool)
            balance += slots_of(attempt);
    });
    Attempt before;
    bool is_first = true;
    while (balance < 0) {
        const FewAttempts youngest = first_attempts(
            engine,
            [&](const Attempt& attempt) {
                return attempt.pool == leaving.pool && slots_of(attempt) > 0 &&
                       is_at_work(engine, attempt) && (is_first || is_younger(before, attempt));
            },
            is_younger);
        if (youngest.size == 0)
            return;
        for (std::uint32_t i = 0; i < youngest.size && balance < 0; ++i) {
            before = attempts[youngest.slots[i]];
            balance += slots_of(before);
            if (saves_in_time(engine, before, leaving))
                stop_for(engine, youngest.slots[i], leaving.cause, leaving.hold_ms);
            if (engine.state().status != RunStatus::ok)
                return;
        }
        is_first = false;
    }
}

template <class Engine>
[[nodiscard]] BURSAR_HD bool
is_on(Engine& engine, const Attempt& attempt, PoolId pool, std::uint32_t of_node) {
    if (attempt.pool != pool)
        return false;
    bool is_there = false;
    const Grant grant{attempt.pool, attempt.level, attempt.first_piece};
    engine.capacity().for_each_piece(
        grant, [&](std::uint32_t node, std::uint32_t) { is_there |= node == of_node; });
    return is_there;
}

/// What runs on a node is stopped, the last job first.
template <class Engine>
BURSAR_HD void stop_on_node(Engine& engine, const Leaving& leaving) {
    FewAttempts last;
    do {
        last = first_attempts(
            engine,
            [&](const Attempt& attempt) {
                return is_on(engine, attempt, leaving.pool, leaving.node) &&
                       is_at_work(engine, attempt) && saves_in_time(engine, attempt, leaving);
            },
            [](const Attempt& a, const Attempt& b) { return a.job > b.job; });
        for (std::uint32_t i = 0; i < last.size; ++i) {
            stop_for(engine, last.slots[i], leaving.cause, leaving.hold_ms);
            if (engine.state().status != RunStatus::ok)
                return;
        }
    } while (last.is_full());
}

template <class Engine>
BURSAR_HD void stop_work(Engine& engine, const Leaving& leaving) {
    using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
    if constexpr (Capacity::counts_only)
        stop_youngest(engine, leaving);
    else
        stop_on_node(engine, leaving);
}

/// From now on a node takes no work, or takes work again.
template <class Engine>
BURSAR_HD void set_offline(Engine& engine, PoolId pool, std::uint32_t node, bool is_offline) {
    const std::int64_t slots =
        std::int64_t{engine.plan().pools[pool].gpus_per_node} * slots_per_gpu;
    if (is_offline)
        engine.capacity().set_offline(pool, node);
    else
        engine.capacity().set_online(pool, node);
    engine.tell_capacity_changed(pool, is_offline ? -slots : slots);
}

/// When a node that takes no more work comes free; now, if nobody holds anything of it. By count:
/// when the next of those who hold what is not there any more gives it back.
template <class Engine>
[[nodiscard]] BURSAR_HD std::int64_t free_from_ms(Engine& engine, PoolId pool, std::uint32_t node) {
    using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
    const std::int64_t now_ms = engine.state().now_ms;
    std::int64_t free_ms = now_ms;
    if constexpr (Capacity::counts_only) {
        if (engine.capacity().balance(pool) >= 0)
            return now_ms;
        free_ms = horizon_ms;
        engine.events().for_each([&](EventKey event) {
            const Attempt& attempt = engine.state().attempts[event.attempt()];
            if (attempt.pool == pool && !is_at_work(engine, attempt) && event.time_ms() < free_ms)
                free_ms = event.time_ms();
        });
    } else {
        engine.events().for_each([&](EventKey event) {
            const Attempt& attempt = engine.state().attempts[event.attempt()];
            if (event.time_ms() > free_ms && is_on(engine, attempt, pool, node))
                free_ms = event.time_ms();
        });
    }
    return free_ms;
}

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

/// When the world moves next; horizon_ms: never.
[[nodiscard]] BURSAR_HD inline std::int64_t next_world_ms(const PlanView& plan,
                                                          const RunState& state) {
    std::int64_t due = state.fleet.next_ms();
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

/// Books what was paid for over [begin, end) and not there: offline, and held by nobody.
template <class Capacity>
[[gnu::noinline, gnu::cold]] BURSAR_HD void charge_offline(RunState& state,
                                                           const PlanView& plan,
                                                           const Capacity& capacity,
                                                           std::int64_t begin_ms,
                                                           std::int64_t end_ms) {
    for (PoolId pool{0}; pool < plan.num_pools; ++pool) {
        const std::int64_t slots_of_node =
            std::int64_t{plan.pools[pool].gpus_per_node} * slots_per_gpu;
        OfflineSplit split{state.fleet[pool], slots_of_node, capacity.offline_slots(pool)};
        if (state.ledger.has_money())
            split.charge(state.ledger, pool, begin_ms, end_ms);
        else
            split.charge(state.ledger.time_alone(), pool, begin_ms, end_ms);
    }
}

/// Books what nobody held over [begin, end). Why what was free was not used the pass knows; where
/// nobody may start anywhere, those who wait explain it, whatever is held for whom.
template <class Engine, class Pass>
BURSAR_HD void
charge_unused(Engine& engine, Pass& pass, std::int64_t begin_ms, std::int64_t end_ms) {
    using Queue = std::remove_reference_t<decltype(engine.queue())>;
    if constexpr (Queue::has.come_back && Queue::has.num_pending) {
        if (engine.plan().moves) [[unlikely]] {
            RunState& state = engine.state();
            charge_offline(state, engine.plan(), engine.capacity(), begin_ms, end_ms);
            if (state.shapes.admit_nobody()) {
                state.idle.charge_by_demand(
                    state.ledger, engine.capacity(), engine.queue(), begin_ms, end_ms);
                return;
            }
        }
    }
    pass.charge_idle(engine, begin_ms, end_ms);
}

} // namespace bursar::inline sim
