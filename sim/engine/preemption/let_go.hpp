#pragma once

#include <cstdint>

#include "sim/engine/attempts/attempt_bill.hpp"
#include "sim/engine/attempts/grant.hpp"
#include "sim/engine/attempts/resumed_jobs.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/engine/run_state.hpp"
#include "sim/plan/ids.hpp"
#include "sim/record/fingerprint.hpp"

namespace bursar::inline sim {

/// Frees the GPUs of an attempt that was preempted at `stop_ms` and has saved what it saves; its
/// job waits from now on at `rank`, as far as it has got. The attempt has no event any more. The
/// queue may have no room for it: RunStatus::arena_full; or it is one preemption too many:
/// RunStatus::too_many_preemptions. By one lane.
template <class Engine>
BURSAR_HD void let_go(Engine& engine,
                      AttemptId slot,
                      const Rank& rank,
                      const Progress& progress,
                      std::int64_t stop_ms) {
    RunState& state = engine.state();
    if (state.num_preempted > max_preemptions) {
        state.status = RunStatus::too_many_preemptions;
        return;
    }
    if (engine.queue().full()) {
        state.status = RunStatus::arena_full;
        return;
    }
    const PlanView& plan = engine.plan();
    const Attempt attempt = state.attempts[slot];
    const JobShape& shape = plan.shapes[attempt.shape];
    Progress carried = progress;
    const std::int64_t counted_ms =
        bill_preempted_attempt(state.ledger, plan, attempt, stop_ms, state.now_ms);
    carried.provisional = attempt.provisional;
    if (attempt.end != JobEnd::completed) {
        if (!state.provisional.has_room(attempt.provisional, attempt.pool, attempt.level)) {
            state.status = RunStatus::arena_full;
            return;
        }
        carried.provisional =
            state.provisional.add(attempt.provisional, attempt.pool, attempt.level, counted_ms);
    }
    engine.capacity().release({attempt.pool, attempt.level, attempt.first_piece}, shape);
    state.attempts.erase(slot);
    state.finish_hashes += stop_hash(attempt.job, attempt.pool, attempt.start_ms, state.now_ms);
    state.queue_slots += shape.slots();
    record_stop(engine.recorder(), plan, attempt, stop_ms, state.now_ms);
    engine.queue().put_back({rank, carried, attempt.job, attempt.shape});
}

} // namespace bursar::inline sim
