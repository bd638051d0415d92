#include "sim/record/teardowns.hpp"

#include <algorithm>

#include "sim/plan/plan_view.hpp"
#include "sim/plan/work_pattern.hpp"

namespace bursar { inline namespace sim {

std::vector<std::int64_t> work_before_last(const Plan& plan, const JobRows& rows) {
    std::vector<std::int64_t> done(rows.stopped.empty() ? 0 : rows.phase.size());
    for (const StoppedAttempt& attempt : rows.stopped) {
        const PlanSpeed* speed = plan.speed_of(attempt.job, attempt.pool, attempt.level);
        done[attempt.job] +=
            speed == nullptr ? attempt.kept_ms : attempt.kept_ms * speed->speed / reference_speed;
    }
    return done;
}

Teardowns::Teardowns(const Plan& plan, const JobRows& rows)
    : plan_{plan}, rows_{rows},
      may_be_cut_{std::ranges::any_of(
          plan.world, [](const WorldEvent& event) { return event.is<SupplyChange>(); })} {
    if (may_be_cut_)
        done_ms_ = work_before_last(plan, rows);
}

Duration Teardowns::of(std::size_t job) const {
    const PlanClass& own = plan_.classes[plan_.job_class[job]];
    if (!may_be_cut_ || own.teardown == Duration{})
        return own.teardown;
    const bool is_later = !rows_.last_start_ms.empty() && rows_.last_start_ms[job] >= 0;
    const std::int64_t left_ms = plan_.work_ms[job] - (done_ms_.empty() ? 0 : done_ms_[job]);
    const PlanSpeed* speed =
        plan_.speed_of(job, rows_.pool[job], rows_.level.empty() ? 0 : rows_.level[job]);
    const std::int64_t work_ms =
        view_of(plan_)
            .pattern(plan_.job_class[job], PoolId{rows_.pool[job]})
            .elapsed(speed == nullptr ? left_ms : elapsed_ms(left_ms, speed->speed));
    const Duration rest = Duration{rows_.finish_ms[job] - rows_.last_start(job) - work_ms} -
                          (is_later ? own.recovery : own.startup);
    return std::clamp(rest, Duration{}, own.teardown);
}

}} // namespace bursar::sim
