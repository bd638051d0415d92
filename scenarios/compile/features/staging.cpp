#include "scenarios/compile/features/staging.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "policies/staging/registry.hpp"

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
    if (!compiled.plan.staging.is_on())
        notes.warnings.push_back(
            fmt::format("policy.staging: {} has no effect (no class says which part of its startup "
                        "is `pull` or `data`)",
                        choice.staging));
    else if (choice.capacity != capacity_count)
        notes.assumed.emplace_back("staging: jobs get the nodes on which they have staged, once "
                                   "these are free in their pool");
    return notes;
}

}} // namespace bursar::scenarios
