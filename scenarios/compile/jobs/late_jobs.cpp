#include "scenarios/compile/jobs/late_jobs.hpp"

#include <algorithm>
#include <limits>

#include "policies/choice/policy_slots.hpp"

#include "scenarios/compile/features/broker.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// Shortest time at work in that shape, by the speeds of that class; the largest value if no pool
/// may run it.
std::int64_t least_work_ms(const Plan& plan,
                           const JobShape& shape,
                           std::uint16_t job_class,
                           std::int64_t work_ms) {
    std::uint64_t usable = shape.permitted_pools;
    if (shape.fallback != 0)
        usable |= plan.fallbacks[shape.fallback - 1U].late_pools;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        if ((usable >> pool & 1U) == 0)
            continue;
        for (std::size_t level = 0; level < plan.num_levels; ++level) {
            const PlanSpeed* speed = plan.speed_by_class(job_class, pool, level);
            least = std::min(least, speed == nullptr ? work_ms : elapsed_ms(work_ms, speed->speed));
        }
    }
    return least;
}

} // namespace

Duration
least_time(const Scenario& scenario, const Plan& plan, std::size_t job, std::int64_t work_ms) {
    const PlanClass& own = plan.classes[plan.job_class[job]];
    std::int64_t least =
        least_work_ms(plan, plan.shapes[plan.shape[job]], plan.job_class[job], work_ms);
    if (own.num_forms > 0 && find_policy("allocator", scenario.policy.allocator)->resizes)
        for (std::size_t form = own.form_begin; form < own.form_begin + own.num_forms; ++form)
            least = std::min(least,
                             least_work_ms(plan,
                                           plan.shapes[plan.forms[form].shape],
                                           plan.forms[form].job_class,
                                           work_ms));
    return own.startup + Duration{least} + own.teardown;
}

void reject_late_jobs(const Scenario& scenario, Compiled& compiled) {
    Plan& plan = compiled.plan;
    if (plan.deadline_ms.empty() || scenario.classes.empty())
        return;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const ClassSpec& spec = scenario.classes[compiled.scenario_class[plan.job_class[job]]];
        if (spec.late != LateRule::reject_at_arrival || plan.deadline_ms[job] == no_deadline_ms)
            continue;
        const std::int64_t believed_ms =
            plan.estimate_ms.empty() ? plan.work_ms[job] : plan.estimate_ms[job];
        if (plan.submit_ms[job] + least_time(scenario, plan, job, believed_ms).count() >
            plan.deadline_ms[job])
            plan.end[job] = JobEnd::rejected;
    }
}

}} // namespace bursar::scenarios
