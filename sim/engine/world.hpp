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

namespace bursar::inline sim {

/// Whether an attempt can be stopped: it was not, and its work has not ended.
template <class Engine>
[[nodiscard]] BURSAR_HD bool is_at_work(Engine& engine, const Attempt& attempt) {
    return !attempt.is_stopped() &&
           span_of(engine.plan(), attempt).work_end_ms > engine.state().now_ms;
}

/// The last attempt that holds GPUs and passes `test(attempt)` by `comes_after(a, b)`, or none.
template <class Engine, class Test, class After>
[[nodiscard]] BURSAR_HD AttemptId last_attempt(Engine& engine,
                                               const Test& test,
                                               const After& comes_after) {
    AttemptId last = LiveAttempts::none();
    const LiveAttempts& attempts = engine.state().attempts;
    engine.events().for_each([&](EventKey event) {
        const AttemptId slot = event.attempt();
        if (test(attempts[slot]) &&
            (last == LiveAttempts::none() || comes_after(attempts[slot], attempts[last])))
            last = slot;
    });
    return last;
}

[[nodiscard]] BURSAR_HD inline std::int64_t slots_of_node(const PlanView& plan,
                                                          const WorldEvent& event) {
    return std::int64_t{plan.pools[event.pool].gpus_per_node} * slots_per_gpu;
}

template <class Engine>
BURSAR_HD void stop_for(Engine& engine, AttemptId slot, const WorldEvent& event) {
    const RunState& state = engine.state();
    engine.stop(
        slot,
        stop_now(engine.plan(), state.attempts[slot], event.cause, state.now_ms, event.hold_ms));
}

/// Under `capacity: count`: the youngest attempts of the pool leave until those that stay, and
/// those that leave and hold their GPUs yet, have as many as there are.
template <class Engine>
BURSAR_HD void stop_youngest(Engine& engine, const WorldEvent& event) {
    const auto slots_of = [&](const Attempt& attempt) {
        return engine.plan().shapes[attempt.shape].slots();
    };
    std::int64_t balance = engine.capacity().balance(PoolId{event.pool});
    engine.events().for_each([&](EventKey pending) {
        const Attempt& attempt = engine.state().attempts[pending.attempt()];
        if (attempt.is_stopped() && attempt.pool == event.pool)
            balance += slots_of(attempt);
    });
    while (balance < 0 && engine.state().status == RunStatus::ok) {
        const AttemptId youngest = last_attempt(
            engine,
            [&](const Attempt& attempt) {
                return attempt.pool == event.pool && slots_of(attempt) > 0 &&
                       is_at_work(engine, attempt);
            },
            [](const Attempt& a, const Attempt& b) {
                return a.start_ms != b.start_ms ? a.start_ms > b.start_ms : a.job > b.job;
            });
        if (youngest == LiveAttempts::none())
            return;
        balance += slots_of(engine.state().attempts[youngest]);
        stop_for(engine, youngest, event);
    }
}

/// What runs on a node is stopped, the last job first.
template <class Engine>
BURSAR_HD void stop_on_node(Engine& engine, const WorldEvent& event) {
    const auto is_on_node = [&](const Attempt& attempt) {
        bool is_there = false;
        const Grant grant{attempt.pool, attempt.level, attempt.first_piece};
        engine.capacity().for_each_piece(
            grant, [&](std::uint32_t node, std::uint32_t) { is_there |= node == event.node; });
        return is_there;
    };
    while (engine.state().status == RunStatus::ok) {
        const AttemptId last = last_attempt(
            engine,
            [&](const Attempt& attempt) {
                return attempt.pool == event.pool && is_at_work(engine, attempt) &&
                       is_on_node(attempt);
            },
            [](const Attempt& a, const Attempt& b) { return a.job > b.job; });
        if (last == LiveAttempts::none())
            return;
        stop_for(engine, last, event);
    }
}

template <class Engine>
BURSAR_HD void take_offline(Engine& engine, const WorldEvent& event) {
    using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
    engine.capacity().set_offline(PoolId{event.pool}, event.node);
    engine.tell_capacity_changed(PoolId{event.pool}, -slots_of_node(engine.plan(), event));
    if constexpr (Capacity::counts_only)
        stop_youngest(engine, event);
    else
        stop_on_node(engine, event);
}

/// An event of the world that is due. By one lane. Cost: a look at every attempt, and one more for
/// each that is stopped.
template <class Engine>
[[gnu::noinline, gnu::cold]] BURSAR_HD void happen(Engine& engine, const WorldEvent& event) {
    const PoolId pool{event.pool};
    switch (event.kind) {
    case WorldEventKind::stop_job: {
        const AttemptId slot = last_attempt(
            engine,
            [&](const Attempt& attempt) {
                return attempt.job == event.job && is_at_work(engine, attempt);
            },
            [](const Attempt&, const Attempt&) { return false; });
        if (slot != LiveAttempts::none())
            stop_for(engine, slot, event);
        return;
    }
    case WorldEventKind::node_offline:
        if (!engine.capacity().is_offline(pool, event.node))
            take_offline(engine, event);
        return;
    case WorldEventKind::node_online:
        if (!engine.capacity().is_offline(pool, event.node))
            return;
        engine.capacity().set_online(pool, event.node);
        engine.tell_capacity_changed(pool, slots_of_node(engine.plan(), event));
        return;
    }
}

} // namespace bursar::inline sim
