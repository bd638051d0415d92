#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/capacity/pool_choice.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/engine/world/world_events.hpp"

/// Jobs that leave what they fell back to (sim/engine/broker/fallbacks.hpp). By one lane.
namespace bursar { inline namespace sim {

template <class Engine>
[[nodiscard]] BURSAR_HD bool has_room_to_move(Engine& engine, JobId job) {
    using Capacity = std::remove_reference_t<decltype(engine.capacity())>;
    const PlanView& plan = engine.plan();
    const JobShape& shape = plan.shapes[plan.shape[job]];
    if constexpr (Capacity::has.prepare)
        engine.capacity().prepare(shape);
    return engine.capacity().fits(shape);
}

template <class Engine>
[[nodiscard]] BURSAR_HD bool works_in(Engine& engine, JobId job, AttemptId slot) {
    const Attempt& attempt = engine.state().attempts[slot];
    return engine.events().has(slot) && attempt.job == job && is_at_work(engine, attempt);
}

/// Stops the first of the jobs that may move for which an early pool has room now, if nobody who
/// waits would get it and the job has more work left than a restart takes; whether there was one.
/// It waits again and starts there.
template <class Engine>
[[gnu::noinline, gnu::cold]] BURSAR_HD bool move_one_back(Engine& engine) {
    const PlanView& plan = engine.plan();
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
