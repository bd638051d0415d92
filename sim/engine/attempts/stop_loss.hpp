#pragma once

#include <cstdint>

#include "models/units/int128.hpp"

#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/plan/work_pattern.hpp"

namespace bursar::inline sim {

/// What stopping an attempt now costs its job in time: what it did since its last durable state and
/// must do again, the save, and the recovery. The whole attempt must be done again where nothing of
/// it lasts.
BURSAR_HD inline std::int64_t
stop_loss_ms(const PlanView& plan, const Attempt& attempt, std::int64_t now_ms) {
    const PlanClass& job_class = plan.classes[attempt.job_class];
    const std::int64_t recovery_ms = job_class.recovery.count();
    if (job_class.checkpoint == Checkpoint::on_preempt)
        return job_class.save.count() + recovery_ms;
    const std::int64_t offset = now_ms > attempt.work_begin_ms ? now_ms - attempt.work_begin_ms : 0;
    const std::int64_t durable = WorkPattern{job_class}.durable(offset);
    return (durable == 0 ? now_ms - attempt.start_ms : offset - durable) + recovery_ms;
}

/// The same in GPU time, which a gang loses all at once: slot-ms.
BURSAR_HD inline int128
stop_loss(const PlanView& plan, const Attempt& attempt, std::int64_t now_ms) {
    return int128{plan.shapes[attempt.shape].slots()} * stop_loss_ms(plan, attempt, now_ms);
}

} // namespace bursar::inline sim
