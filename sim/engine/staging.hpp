#pragma once

#include <cstdint>
#include <type_traits>

#include "sim/engine/attempts/estimated_hold.hpp"
#include "sim/engine/attempts/event_key.hpp"
#include "sim/engine/attempts/staged_jobs.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/ids.hpp"

/// The next waiting jobs stage their images and data on GPUs before these become free, and so start
/// sooner. It is planned after each pass (StagedJobs) and takes effect between two instants without
/// an event: a staging begins at a known time, unless something happens before. On the host only.
namespace bursar { inline namespace sim {

/// When an attempt is predicted to release its GPUs, where it does so at release_ms unless
/// something stops it; horizon_ms: not known. One that is late may do so at any moment.
[[nodiscard]] BURSAR_HD inline std::int64_t predicted_release_ms(const RunPlan& plan,
                                                                 const RunState& state,
                                                                 const Attempt& attempt,
                                                                 std::int64_t release_ms) {
    if (attempt.is_stopped() || plan.staging.predict == EndPrediction::exact)
        return release_ms;
    const std::int64_t predicted_ms =
        plan.staging.predict == EndPrediction::estimate
            ? believed_release_ms(plan, attempt, state.carried.of(attempt.job))
            : state.staged.end_by_class(attempt);
    return predicted_ms > state.now_ms ? predicted_ms : state.now_ms;
}

/// What a waiting job could stage: nothing once it has run.
[[nodiscard]] BURSAR_HD inline std::int64_t
staged_ms_of(const RunPlan& plan, const RunState& state, JobId job) {
    return state.carried.has(job) ? 0 : plan.classes[plan.job_class[job]].staged.count();
}

/// Plans what the next waiting jobs stage. One lane calls it, after the pass.
template <class Engine>
[[gnu::noinline, gnu::cold]] BURSAR_HD void stage_ahead(Engine& engine) {
    using Queue = std::remove_reference_t<decltype(engine.queue())>;
    if constexpr (Queue::has.give_back && Queue::has.head && Queue::has.start) {
        const RunPlan& plan = engine.plan();
        RunState& state = engine.state();
        auto& capacity = engine.capacity();
        for (PoolId pool{0}; pool < plan.num_pools; ++pool)
            state.staged.keep_within(
                pool, capacity.free_slots(pool), state.now_ms, engine.recorder());
        std::uint32_t num_next = 0;
        for (; num_next < plan.staging.num_jobs; ++num_next) {
            const Candidate next = engine.queue().head(engine.team());
            if (next.job == Candidate::no_job())
                break;
            engine.queue().start(next);
            state.staged.next(num_next) = next;
        }
        for (std::uint32_t i = 0; i < num_next; ++i)
            engine.queue().give_back(state.staged.next(i),
                                     state.carried.of(state.staged.next(i).job));
        state.staged.plan_next(
            num_next,
            [&](PoolId pool) { return capacity.free_slots(pool); },
            [&](const auto& act) {
                engine.events().for_each([&](EventKey event) {
                    const Attempt& attempt = state.attempts[event.attempt()];
                    const std::int64_t end_ms =
                        predicted_release_ms(plan, state, attempt, event.time_ms());
                    if (end_ms < horizon_ms)
                        act({end_ms,
                             attempt.job,
                             event.attempt(),
                             PoolId{attempt.pool},
                             plan.shapes[attempt.shape].slots()});
                });
            },
            [&](JobId job) { return staged_ms_of(plan, state, job); },
            state.now_ms,
            engine.recorder());
    }
}

}} // namespace bursar::sim
