#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/attempts/stopping.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// What stopping an attempt now costs its job in time: what it did since its last durable state and
/// must do again, the save, and the recovery. The whole attempt must be done again where nothing of
/// it lasts.
BURSAR_HD inline std::int64_t
stop_loss_ms(const PlanView& plan, const Attempt& attempt, std::int64_t now_ms) {
    const PlanClass& job_class = plan.classes[attempt.job_class];
    const std::int64_t recovery_ms = job_class.recovery.count();
    if (saves_at_stop(job_class.checkpoint, StopCause::preempted))
        return (job_class.save + job_class.write).count() + recovery_ms;
    const std::int64_t offset = work_offset(attempt, now_ms);
    const std::int64_t durable = pattern_of(plan, attempt).saved(offset);
    return (durable == 0 ? now_ms - attempt.start_ms : offset - durable) + recovery_ms;
}

/// The same in GPU time, which a gang loses all at once: slot-ms.
BURSAR_HD inline int128
stop_loss(const PlanView& plan, const Attempt& attempt, std::int64_t now_ms) {
    return int128{plan.shapes[attempt.shape].slots()} * stop_loss_ms(plan, attempt, now_ms);
}

}} // namespace bursar::sim
