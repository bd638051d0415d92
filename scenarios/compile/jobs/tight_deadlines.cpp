#include "scenarios/compile/jobs/tight_deadlines.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/scenario/policy/policy_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// From its start to its end, on the fastest pool that the job may use now or later.
Duration least_time(const Plan& plan, std::size_t job) {
    const JobShape& shape = plan.shapes[plan.shape[job]];
    std::uint64_t usable = shape.permitted_pools;
    if (shape.fallback != 0)
        usable |= plan.fallbacks[shape.fallback - 1U].late_pools;
    std::int64_t work_ms = std::numeric_limits<std::int64_t>::max();
    for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
        if ((usable >> pool & 1U) == 0)
            continue;
        for (std::size_t level = 0; level < plan.num_levels; ++level) {
            const PlanSpeed* speed = plan.speed_of(job, pool, level);
            work_ms = std::min(work_ms,
                               speed == nullptr ? plan.work_ms[job]
                                                : elapsed_ms(plan.work_ms[job], speed->speed));
        }
    }
    const PlanClass& own = plan.classes[plan.job_class[job]];
    return own.startup + Duration{work_ms} + own.teardown;
}

/// "125 h", "40 s": as a scenario may say it, of long ones four digits.
std::string span_text(Duration span) {
    return span < hour
               ? duration_text(span)
               : fmt::format("{:.4g} h",
                             static_cast<double>(span.count()) / static_cast<double>(hour.count()));
}

/// The jobs of a class that are late by then.
struct TightJobs {
    std::size_t first{};
    Duration needs{}; ///< of the first
    std::uint64_t num{};
};

Finding finding_of(const ClassSpec& spec,
                   std::uint16_t number,
                   const Labels& labels,
                   const TightJobs& tight,
                   bool is_drawn) {
    Finding finding;
    if (is_drawn) // which ones is the seed's
        finding = mistake("some jobs cannot meet their deadline",
                          fmt::format("they need longer than {} on the fastest pool that they may "
                                      "use",
                                      span_text(*spec.deadline)));
    else
        finding = mistake(fmt::format("{} cannot meet {} deadline; the first is \"{}\"",
                                      tight.num == 1 ? "a job" : fmt::format("{} jobs", tight.num),
                                      tight.num == 1 ? "its" : "their",
                                      labels.job(tight.first)),
                          fmt::format("it needs {} on the fastest pool that it may use, and has {}",
                                      span_text(tight.needs),
                                      span_text(*spec.deadline)));
    finding.place = spec.place;
    finding.path = fmt::format("workload.classes[{}].deadline", number);
    return finding;
}

} // namespace

std::vector<std::string> tight_deadlines(const Scenario& scenario, const Compiled& compiled) {
    const Plan& plan = compiled.plan;
    if (plan.deadline_ms.empty())
        return {};
    std::map<std::uint16_t, TightJobs> by_class;
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        if (plan.deadline_ms[job] == no_deadline_ms)
            continue;
        const Duration needs = least_time(plan, job);
        if (needs <= Duration{plan.deadline_ms[job] - plan.submit_ms[job]})
            continue;
        const std::uint16_t number = compiled.scenario_class[plan.job_class[job]];
        ++by_class.try_emplace(number, TightJobs{job, needs, 0}).first->second.num;
    }
    const bool is_drawn = std::holds_alternative<SyntheticSpec>(scenario.workload);
    std::vector<std::string> warnings;
    for (const auto& [number, tight] : by_class)
        warnings.push_back(
            finding_of(scenario.classes[number], number, compiled.labels, tight, is_drawn).text());
    return warnings;
}

}} // namespace bursar::scenarios
