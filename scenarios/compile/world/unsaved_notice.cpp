#include "scenarios/compile/world/unsaved_notice.hpp"

#include <cstdint>

#include <fmt/format.h>

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/scenario/policy/policy_text.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// By class of the scenario, the pools that its jobs may use now or later.
std::vector<std::uint64_t> usable_pools(const Scenario& scenario, const Compiled& compiled) {
    const Plan& plan = compiled.plan;
    std::vector<std::uint64_t> pools(scenario.classes.size());
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        const JobShape& shape = plan.shapes[plan.shape[job]];
        std::uint64_t& usable = pools[compiled.scenario_class[plan.job_class[job]]];
        usable |= shape.permitted_pools;
        if (shape.fallback != 0)
            usable |= plan.fallbacks[shape.fallback - 1U].late_pools;
    }
    return pools;
}

bool could_save(const CheckpointSpec& checkpoint, const PoolSpec& pool) {
    if (!pool.availability || pool.availability->notice == Duration{})
        return false;
    return checkpoint.kind != Checkpoint::none &&
           !saves_at_stop(checkpoint.kind, StopCause::reclaimed) &&
           checkpoint.save + checkpoint.write <= pool.availability->notice;
}

} // namespace

std::vector<std::string> unsaved_notices(const Scenario& scenario, const Compiled& compiled) {
    if (scenario.classes.empty())
        return {};
    const std::vector<std::uint64_t> usable = usable_pools(scenario, compiled);
    std::vector<std::string> warnings;
    for (std::size_t number = 0; number < usable.size(); ++number)
        for (std::size_t p = 0; p < scenario.fleet.size(); ++p) {
            const ClassSpec& spec = scenario.classes[number];
            const PoolSpec& pool = scenario.fleet[p];
            if ((usable[number] >> p & 1U) == 0 || !spec.checkpoint ||
                !could_save(*spec.checkpoint, pool))
                continue;
            Finding finding =
                mistake(fmt::format("jobs do not save as pool {} takes its nodes back, and lose "
                                    "what they have done since their last save",
                                    pool.name),
                        fmt::format("its notice of {} is long enough for a save of {}",
                                    duration_text(pool.availability->notice),
                                    duration_text(spec.checkpoint->save + spec.checkpoint->write)),
                        fmt::format("`when: [{}, on-notice]`",
                                    spec.checkpoint->young_daly ? "young-daly" : "every"));
            finding.place = spec.place;
            finding.path = fmt::format("workload.classes[{}].checkpoint", number);
            warnings.push_back(finding.text());
        }
    return warnings;
}

}} // namespace bursar::scenarios
