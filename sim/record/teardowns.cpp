#include "sim/record/teardowns.hpp"

#include <algorithm>

#include "sim/plan/plan_view.hpp"
#include "sim/plan/work_pattern.hpp"

namespace bursar { inline namespace sim {

std::vector<std::int64_t> work_before_last(const Plan& plan, const JobRows& rows) {
    std::vector<std::int64_t> done(rows.stopped.empty() ? 0 : rows.phase.size());
    for (std::size_t at = 0; at < rows.stopped.size(); ++at) {
        const StoppedAttempt& attempt = rows.stopped[at];
        const std::uint16_t own = rows.form_of_stopped(plan, at).job_class;
        const PlanSpeed* speed = plan.speed_by_class(own, attempt.pool, attempt.level);
        done[attempt.job] +=
            speed == nullptr ? attempt.kept_ms : attempt.kept_ms * speed->speed / reference_speed;
    }
    return done;
}

Leads::Leads(const Plan& plan, const JobRows& rows)
    : plan_{plan}, saved_ms_{rows.saved_startup_ms()} {
    if (rows.stopped.empty())
        return;
    for (std::size_t job = 0; job < rows.phase.size(); ++job)
        next_.push_back(first(job));
    of_stopped_.reserve(rows.stopped.size());
    for (const StoppedAttempt& attempt : rows.stopped) {
        const PlanClass& own = plan_.classes[plan_.job_class[attempt.job]];
        Duration& lead = next_[attempt.job];
        of_stopped_.push_back(lead);
        if (attempt.cause == StopCause::shared)
            lead = std::max(lead - Duration{attempt.stop_ms - attempt.start_ms}, Duration{});
        else
            lead = (attempt.cause == StopCause::resized ? own.rescale : own.recovery) +
                   Duration{attempt.owed_ms};
    }
}

Duration Leads::first(std::size_t job) const {
    return plan_.classes[plan_.job_class[job]].startup -
           Duration{saved_ms_.empty() ? 0 : saved_ms_[job]};
}

Teardowns::Teardowns(const Plan& plan, const JobRows& rows)
    : plan_{plan}, rows_{rows}, leads_{plan, rows},
      may_be_cut_{std::ranges::any_of(
          plan.world, [](const WorldEvent& event) { return event.is<SupplyChange>(); })} {
    if (may_be_cut_)
        done_ms_ = work_before_last(plan, rows);
}

Duration Teardowns::of(std::size_t job) const {
    const PlanClass& own = plan_.classes[plan_.job_class[job]];
    if (!may_be_cut_ || own.teardown == Duration{})
        return own.teardown;
    const std::int64_t left_ms = plan_.work_ms[job] - (done_ms_.empty() ? 0 : done_ms_[job]);
    const std::uint16_t of_class = rows_.last_form(plan_, job).job_class;
    const PlanSpeed* speed =
        plan_.speed_by_class(of_class, rows_.pool[job], rows_.level.empty() ? 0 : rows_.level[job]);
    const std::int64_t work_ms =
        view_of(plan_)
            .pattern(of_class, PoolId{rows_.pool[job]})
            .elapsed(speed == nullptr ? left_ms : elapsed_ms(left_ms, speed->speed));
    const Duration rest =
        Duration{rows_.finish_ms[job] - rows_.last_start(job) - work_ms} - leads_.of_last(job);
    return std::clamp(rest, Duration{}, own.teardown);
}

}} // namespace bursar::sim
