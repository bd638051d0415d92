#pragma once

#include <cstdint>
#include <type_traits>

#include "models/units/int128.hpp"

#include "sim/engine/attempts/job_progress.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/engine/world/leaving_node.hpp"
#include "sim/engine/world/world_events.hpp"
#include "sim/plan/run_plan.hpp"

/// Running jobs that move to a better pool once that pays (PlanMigration). One lane calls these
/// functions.
namespace bursar { inline namespace sim {

/// The current price of a pool for the broker, in nano-USD per GPU-hour; 0 if it is paid anyway.
[[nodiscard]] BURSAR_HD inline std::int64_t
believed_rate(const RunPlan& plan, PoolId pool, std::int64_t now_ms) {
    const PlanPool& own = plan.pools[pool];
    if (own.purchase == Purchase::owned || own.purchase == Purchase::reserved)
        return 0;
    return plan.prices.varies(pool) ? plan.prices.asked(pool).rate_at(Duration{now_ms}).count()
                                    : own.rate.count();
}

/// A running job that would be stopped now to continue elsewhere.
struct Migrant {
    JobId job{};
    Stop stop{};
    Progress began{}; ///< when its attempt began
    Progress then{};  ///< after the stop
    PoolId to{};      ///< num_pools: nowhere
};

/// 1 + the region in which a job would have its saved state; 0: nothing saved.
[[nodiscard]] BURSAR_HD inline std::uint32_t
saved_after(const RunPlan& plan, const Attempt& attempt, const Migrant& migrant) {
    if (plan.saved_in == nullptr)
        return 0;
    return migrant.then.work_left_ms < migrant.began.work_left_ms
               ? 1U + plan.pool_region[attempt.pool]
               : plan.saved_in[migrant.job];
}

/// The believed cost of a gang's held time, lengthened by expected interruptions: nano-USD per
/// GPU-hour x slot-ms.
[[nodiscard]] BURSAR_HD inline int128 believed_cost(const RunPlan& plan,
                                                    const JobShape& shape,
                                                    PoolId pool,
                                                    std::int64_t held_ms,
                                                    std::int64_t now_ms) {
    int128 believed_ms = held_ms;
    if (plan.risk_stretch != nullptr) {
        const std::uint32_t row = shape.order_begin / (1 + plan.num_regions);
        believed_ms = believed_ms * plan.risk_stretch[row + pool] / PlanMigration::one_stretch;
        believed_ms = believed_ms < horizon_ms ? believed_ms : horizon_ms;
    }
    return believed_ms * believed_rate(plan, pool, now_ms) * shape.slots();
}

/// Whether moving to `migrant.to` costs less than staying, by the margin.
[[nodiscard]] BURSAR_HD inline bool
pays(const RunPlan& plan, const Attempt& attempt, const Migrant& migrant, std::int64_t now_ms) {
    const JobShape& shape = plan.current_shapes[attempt.shape];
    const PoolId here{attempt.pool};
    const std::int64_t stay_ms = still_needed_ms(plan, attempt, migrant.began, now_ms);
    const int128 staying = believed_cost(plan, shape, here, stay_ms, now_ms);
    if (staying == 0)
        return false;
    const std::int64_t there_ms = needed_ms(plan, migrant.job, migrant.then, migrant.to);
    const std::int64_t save_ms = migrant.stop.release_ms - now_ms;
    int128 moving = int128{save_ms} * believed_rate(plan, here, now_ms) * shape.slots() +
                    believed_cost(plan, shape, migrant.to, there_ms, now_ms);
    const std::uint32_t saved = saved_after(plan, attempt, migrant);
    if (saved > 0 && saved != 1U + plan.pool_region[migrant.to] && plan.egress_nano_usd != nullptr)
        moving += int128{plan.egress_nano_usd[attempt.job_class]} * slot_ms_per_gpu_hour;
    return staying * 1000 > moving * (1000 + plan.migration.margin_milli);
}

/// An attempt if it were stopped now; `to` is not set.
template <class Engine>
[[nodiscard]] BURSAR_HD Migrant migrant_of(Engine& engine, const Attempt& attempt) {
    const RunPlan& plan = engine.plan();
    const RunState& state = engine.state();
    Migrant migrant;
    migrant.job = JobId{attempt.job};
    migrant.stop = stop_now(plan, attempt, StopCause::migrated, state.now_ms);
    migrant.began = migrant.then = state.carried.of(migrant.job);
    add_stopped(migrant.then, plan, attempt, migrant.stop, state.unfinished_recovery);
    migrant.to = PoolId{plan.num_pools};
    return migrant;
}

/// Begin of the order of its pools after the stop.
[[nodiscard]] BURSAR_HD inline std::uint32_t
order_after(const RunPlan& plan, const Attempt& attempt, const Migrant& migrant) {
    return plan.current_shapes[attempt.shape].order_begin +
           saved_after(plan, attempt, migrant) * plan.num_pools;
}

/// Counts by pool the slots of migrating gangs that still hold others.
template <class Engine>
BURSAR_HD void count_aimed_slots(Engine& engine) {
    const RunState& state = engine.state();
    for (PoolId pool{0}; pool < engine.plan().num_pools; ++pool)
        state.migrations.aimed_slots[pool] = 0;
    engine.events().for_each([&](EventKey event) {
        const Attempt& attempt = state.attempts[event.attempt()];
        if (attempt.cause == StopCause::migrated)
            state.migrations.aimed_slots[state.migrations.aim[event.attempt()]] +=
                engine.plan().current_shapes[attempt.shape].slots();
    });
}

/// Whether a pool has room for a gang now beside those migrating to it, which are assumed to take
/// GPUs of empty nodes.
template <class Engine>
[[nodiscard]] BURSAR_HD bool has_room_beside(Engine& engine, PoolId pool, const JobShape& shape) {
    using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
    if (!engine.capacity().fits_on(pool, shape))
        return false;
    const std::int64_t aimed = engine.state().migrations.aimed_slots[pool];
    const std::int64_t node = engine.plan().pools[pool].gpus_per_node;
    if (aimed == 0 || Capacity::counts_only || shape.gpus < node)
        return engine.capacity().free_slots(pool) - aimed >= shape.slots();
    return engine.capacity().num_empty(pool) * node * slots_per_gpu - aimed >=
           shape.gpus / node * node * slots_per_gpu;
}

/// Calls `use(pool, has_room)` for each pool that comes before that of an attempt and admits its
/// gang, up to the first that has room for it now. After a stop it would go to that one.
template <class Engine, class Use>
BURSAR_HD void
for_each_before(Engine& engine, const Attempt& attempt, const Migrant& migrant, const Use& use) {
    const RunPlan& plan = engine.plan();
    const JobShape& shape = plan.current_shapes[attempt.shape];
    const std::uint32_t order = order_after(plan, attempt, migrant);
    for (std::uint32_t i = 0; i < plan.num_pools; ++i) {
        const PoolId pool{plan.current_order[order + i]};
        if (pool == attempt.pool)
            return;
        if ((shape.permitted_pools >> pool & 1U) == 0)
            continue;
        const bool has_room = has_room_beside(engine, pool, shape);
        use(pool, has_room);
        if (has_room)
            return;
    }
}

/// Whether an attempt should be stopped now to continue elsewhere; sets `migrant.to`.
template <class Engine>
[[nodiscard]] BURSAR_HD bool
should_migrate(Engine& engine, const Attempt& attempt, Migrant& migrant) {
    for_each_before(engine, attempt, migrant, [&](PoolId pool, bool has_room) {
        migrant.to = has_room ? pool : migrant.to;
    });
    return migrant.to < engine.plan().num_pools &&
           pays(engine.plan(), attempt, migrant, engine.state().now_ms);
}

/// Whether a waiting job prevents migrations.
template <class Engine>
[[nodiscard]] BURSAR_HD bool head_blocks_migration(Engine& engine) {
    return engine.state().head_blocks && engine.queue().num_jobs() > 0;
}

/// Calls `use(slot)` for each attempt that passes `test(attempt)`, in the order of jobs. Cost: a
/// check of every attempt for each 16 of them.
template <class Engine, class Test, class Use>
BURSAR_HD void for_each_by_job(Engine& engine, const Test& test, const Use& use) {
    bool is_first = true;
    JobId last{};
    FewAttempts next;
    do {
        next = first_attempts(
            engine,
            [&](const Attempt& attempt) {
                return (is_first || attempt.job > last) && test(attempt);
            },
            [](const Attempt& a, const Attempt& b) { return a.job < b.job; });
        for (std::uint32_t i = 0; i < next.size; ++i) {
            last = JobId{engine.state().attempts[next.slots[i]].job};
            use(next.slots[i]);
        }
        is_first = false;
    } while (next.is_full());
}

/// Calls `use(shape, order, fits_now)` for each job that is migrating, then for each running one
/// that would pay less in a pool with room now or after launches. `shape` permits only those pools.
template <class Engine, class Use>
BURSAR_HD void for_each_migration_candidate(Engine& engine, const Use& use) {
    const RunPlan& plan = engine.plan();
    const RunState& state = engine.state();
    for_each_by_job(
        engine,
        [](const Attempt& attempt) { return attempt.cause == StopCause::migrated; },
        [&](AttemptId slot) { // its target nodes must not end meanwhile
            const JobShape& own = plan.current_shapes[state.attempts[slot].shape];
            const PoolId aim{state.migrations.aim[slot]};
            JobShape shape = own;
            shape.permitted_pools &= std::uint64_t{1} << aim;
            use(shape, shape.order_begin, engine.capacity().fits_on(aim, own));
        });
    if (head_blocks_migration(engine))
        return;
    count_aimed_slots(engine);
    for_each_by_job(
        engine,
        [&](const Attempt& attempt) { return is_at_work(engine, attempt); },
        [&](AttemptId slot) {
            const Attempt& attempt = state.attempts[slot];
            Migrant migrant = migrant_of(engine, attempt);
            JobShape shape = plan.current_shapes[attempt.shape];
            shape.permitted_pools = 0;
            bool fits_now = false;
            for_each_before(engine, attempt, migrant, [&](PoolId pool, bool has_room) {
                migrant.to = pool;
                if (!pays(plan, attempt, migrant, state.now_ms))
                    return;
                shape.permitted_pools |= std::uint64_t{1} << pool;
                fits_now = has_room;
            });
            if (shape.permitted_pools != 0)
                use(shape, order_after(plan, attempt, migrant), fits_now);
        });
}

/// Stops the first running job, by submit order, that should migrate; it waits again. Returns
/// whether there was one. Cost: a check of every attempt.
template <class Engine>
[[nodiscard]] BURSAR_HD bool migrate_one(Engine& engine) {
    RunState& state = engine.state();
    if (head_blocks_migration(engine) || engine.capacity().is_full())
        return false;
    count_aimed_slots(engine);
    AttemptId first = LiveAttempts::none();
    Migrant leaver;
    engine.events().for_each([&](EventKey event) {
        const Attempt& attempt = state.attempts[event.attempt()];
        if (first != LiveAttempts::none() && attempt.job > state.attempts[first].job)
            return;
        if (!is_at_work(engine, attempt))
            return;
        Migrant migrant = migrant_of(engine, attempt);
        if (!should_migrate(engine, attempt, migrant))
            return;
        first = event.attempt();
        leaver = migrant;
    });
    if (first == LiveAttempts::none())
        return false;
    state.migrations.aim[first] = StoredPoolId{leaver.to};
    engine.stop(first, leaver.stop);
    ++state.migrations.num_stopped;
    return true;
}

/// Whether migrations must be checked now, after the first pass of this instant; each change counts
/// once.
template <class Engine>
[[nodiscard]] BURSAR_HD bool is_migration_due(Engine& engine) {
    RunState& state = engine.state();
    const std::uint64_t num_gone = state.num_started - engine.events().size();
    const std::int64_t every_ms = engine.plan().migration.every_ms;
    const bool looks = state.migrations.has_changed || state.migrations.num_gone != num_gone ||
                       (every_ms > 0 && state.now_ms % every_ms == 0);
    state.migrations.has_changed = false;
    state.migrations.num_gone = num_gone;
    return looks;
}

// Jobs that leave their fallback (sim/engine/broker/fallbacks.hpp). One lane calls these functions.

template <class Engine>
[[nodiscard]] BURSAR_HD bool has_room_to_move(Engine& engine, JobId job) {
    using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
    const RunPlan& plan = engine.plan();
    const JobShape& shape = plan.current_shapes[plan.shape[job]];
    if constexpr (Capacity::has.prepare)
        engine.capacity().prepare(shape);
    return engine.capacity().fits(shape);
}

template <class Engine>
[[nodiscard]] BURSAR_HD bool works_in(Engine& engine, JobId job, AttemptId slot) {
    const Attempt& attempt = engine.state().attempts[slot];
    return engine.events().has(slot) && attempt.job == job && is_at_work(engine, attempt);
}

/// Stops the first job that may leave its fallback, fits an early pool now and has more work left
/// than a recovery takes; it waits again and starts there. Returns whether there was one. A waiting
/// job at a blocking head prevents it.
template <class Engine>
[[gnu::noinline, gnu::cold]] BURSAR_HD bool move_one_back(Engine& engine) {
    const RunPlan& plan = engine.plan();
    RunState& state = engine.state();
    if (state.head_blocks && engine.queue().num_jobs() > 0)
        return false;
    return state.fallbacks.for_each_ready(
        [&](JobId job, AttemptId slot) { return works_in(engine, job, slot); },
        [&](JobId job, AttemptId slot) {
            if (!has_room_to_move(engine, job))
                return false;
            const Attempt& attempt = state.attempts[slot];
            const Stop stop = stop_now(plan, attempt, StopCause::preempted, state.now_ms);
            Progress then = state.carried.of(job);
            add_stopped(then, plan, attempt, stop, state.unfinished_recovery);
            const bool is_worth_it = believed_left_ms(plan, job, then) >
                                     plan.classes[attempt.job_class].recovery.count();
            if (!is_worth_it || !state.fallbacks.can_wait(job, then, stop.release_ms))
                return false;
            engine.stop(slot, stop);
            state.fallbacks.moved();
            return true;
        });
}

}} // namespace bursar::sim
