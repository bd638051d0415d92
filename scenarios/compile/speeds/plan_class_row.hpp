#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/plan.hpp"

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {

/// A copy of row `job_class` of Plan::classes with speeds of its own: a class as gangs of one size
/// see it. speeds: by pool and level, as Plan::speeds has them. place: of the class, for the
/// ScenarioError where the plan has no room for another.
inline std::uint16_t add_class_row(Plan& plan,
                                   std::uint16_t job_class,
                                   const std::vector<PlanSpeed>& speeds,
                                   const Place& place) {
    if (plan.classes.size() == 0x10000)
        fail_input(place,
                   "workload.classes",
                   mistake("more than 65,536 distinct pairs of a class and a gang size",
                           "each has speeds of its own",
                           "match fewer gang sizes"));
    plan.speeds.insert(plan.speeds.end(), speeds.begin(), speeds.end());
    PlanClass row = plan.classes[job_class];
    row.speed_row =
        static_cast<std::uint16_t>(plan.speeds.size() / (plan.pools.size() * plan.num_levels));
    plan.classes.push_back(row);
    return static_cast<std::uint16_t>(plan.classes.size() - 1);
}

}} // namespace bursar::scenarios
