#include "scenarios/compile/features/staging.hpp"

#include <algorithm>

#include "policies/staging/registry.hpp"

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {

void plan_staging(const CompileInput& input, Compiled& compiled) {
    const PolicyChoice& choice = input.scenario.policy;
    const bool some_can = std::ranges::any_of(
        compiled.plan.classes, [](const PlanClass& one) { return one.staged > Duration{}; });
    if (some_can)
        compiled.plan.staging = staging_under(choice.staging, choice.staging_options);
}

Notes staging_notes(const CompileInput& input, const Compiled& compiled) {
    const PolicyChoice& choice = input.scenario.policy;
    Notes notes;
    if (choice.staging == staging_none)
        return notes;
    if (!compiled.plan.staging.is_on()) {
        Finding finding =
            mistake(choice.staging + " has no effect",
                    "no class of the jobs says which part of its startup is `pull` or `data`",
                    "`startup: {pull: 3 min, data: 5 min}`");
        finding.place = input.scenario.places.staging;
        finding.path = "policy.staging";
        notes.warnings.push_back(finding.text());
    } else if (choice.capacity != capacity_count)
        notes.assumed.emplace_back("staging: jobs get the nodes on which they have staged, once "
                                   "these are free in their pool");
    return notes;
}

}} // namespace bursar::scenarios
