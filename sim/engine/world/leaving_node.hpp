#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/engine/attempts/attempt_bill.hpp"
#include "sim/engine/attempts/event_key.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"

/// The attempts that must leave a node, and when the node becomes free. One lane calls these
/// functions. Cost: a check of every attempt, and one more for each that is stopped.
namespace bursar { inline namespace sim {

/// Whether an attempt can be stopped: it was not stopped, and its work has not ended.
template <class Engine>
[[nodiscard]] BURSAR_HD bool is_at_work(Engine& engine, const Attempt& attempt) {
    return !attempt.is_stopped() &&
           span_of(engine.plan(), attempt).work_end_ms > engine.state().now_ms;
}

/// Some attempts in order: the most that one search returns.
struct FewAttempts {
    static constexpr std::uint32_t max_size = 16;

    AttemptId slots[max_size]{};
    std::uint32_t size{};

    [[nodiscard]] BURSAR_HD bool is_full() const { return size == max_size; }
};

/// The first attempts that hold GPUs and pass `test(attempt)`, in the order of `comes_before(a,
/// b)`. Cost: one check of every attempt; only few are sorted.
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
    std::int64_t hold_ms{};   ///< abrupt causes: time until the stop is noticed and GPUs released
    std::int64_t notice_ms{}; ///< stops only attempts that can save within this; 0: all
};

template <class Engine>
BURSAR_HD void stop_for(Engine& engine, AttemptId slot, StopCause cause, std::int64_t hold_ms) {
    const RunState& state = engine.state();
    engine.stop(slot, stop_now(engine.plan(), state.attempts[slot], cause, state.now_ms, hold_ms));
}

/// Whether a stop now leaves an attempt the time to save its state. An attempt that does not save
/// at such a stop gains nothing by it, and works on.
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

[[nodiscard]] BURSAR_HD inline bool is_younger(const Attempt& a, const Attempt& b) {
    return a.start_ms != b.start_ms ? a.start_ms > b.start_ms : a.job > b.job;
}

/// Under `capacity: count`: calls act(slot), which may stop it, for the youngest attempts at work
/// in a pool until the others, and stopped ones that still hold GPUs, fit the GPUs that are up.
template <class Engine, class Act>
BURSAR_HD void for_each_beyond(Engine& engine, PoolId pool, const Act& act) {
    const LiveAttempts& attempts = engine.state().attempts;
    const auto slots_of = [&](const Attempt& attempt) {
        return engine.plan().current_shapes[attempt.shape].slots();
    };
    std::int64_t balance = engine.capacity().balance(pool);
    if (balance >= 0)
        return;
    engine.events().for_each([&](EventKey pending) {
        const Attempt& attempt = attempts[pending.attempt()];
        if (attempt.is_stopped() && attempt.pool == pool)
            balance += slots_of(attempt);
    });
    Attempt before;
    bool is_first = true;
    while (balance < 0) {
        const FewAttempts youngest = first_attempts(
            engine,
            [&](const Attempt& attempt) {
                return attempt.pool == pool && slots_of(attempt) > 0 &&
                       is_at_work(engine, attempt) && (is_first || is_younger(before, attempt));
            },
            is_younger);
        if (youngest.size == 0)
            return;
        for (std::uint32_t i = 0; i < youngest.size && balance < 0; ++i) {
            before = attempts[youngest.slots[i]];
            balance += slots_of(before);
            act(youngest.slots[i]);
            if (engine.state().status != RunStatus::ok)
                return;
        }
        is_first = false;
    }
}

/// Under `capacity: count`: stops the youngest attempts of the pool as for_each_beyond finds them.
template <class Engine>
BURSAR_HD void stop_youngest(Engine& engine, const Leaving& leaving) {
    for_each_beyond(engine, leaving.pool, [&](AttemptId slot) {
        if (saves_in_time(engine, engine.state().attempts[slot], leaving))
            stop_for(engine, slot, leaving.cause, leaving.hold_ms);
    });
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

/// Stops the attempts on a node, the last job first.
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

/// Ends the attempts that only clean up on a node that goes. By count: the youngest of the pool,
/// until the others fit the GPUs that are up.
template <class Engine>
BURSAR_HD void cut_teardowns(Engine& engine, PoolId pool, std::uint32_t node) {
    using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
    const auto is_in_the_way = [&](const Attempt& attempt) {
        if (attempt.pool != pool || attempt.is_stopped() || is_at_work(engine, attempt))
            return false;
        if constexpr (Capacity::counts_only)
            return engine.plan().current_shapes[attempt.shape].slots() > 0;
        else
            return is_on(engine, attempt, pool, node);
    };
    while (true) {
        if constexpr (Capacity::counts_only) {
            if (engine.capacity().balance(pool) >= 0)
                return;
        }
        const FewAttempts first = first_attempts(engine, is_in_the_way, is_younger);
        if (first.size == 0)
            return;
        engine.cut_teardown(first.slots[0]);
    }
}

/// Takes a node offline, or back online.
template <class Engine>
BURSAR_HD void set_offline(Engine& engine, PoolId pool, std::uint32_t node, bool is_offline) {
    const std::int64_t slots =
        std::int64_t{engine.plan().pools[pool].gpus_per_node} * slots_per_gpu;
    if (is_offline)
        engine.capacity().set_offline(pool, node);
    else
        engine.capacity().set_online(pool, node);
    engine.note_capacity_changed(pool, is_offline ? -slots : slots);
}

/// When a node becomes free whose other attempts have left; now if it is empty. By count: when the
/// next stopped attempt beyond the GPUs that are up releases its GPUs.
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

}} // namespace bursar::sim
