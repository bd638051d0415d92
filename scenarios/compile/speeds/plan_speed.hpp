#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/plan/plan.hpp"
#include "sim/plan/speed.hpp"

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {

/// Shares of working time by Stall; each >= 0, together at most 1 up to rounding.
using StallShares = std::array<double, num_stalls>;

/// A model's figures as the engine's whole numbers.
///
/// speed: against the reference, > 0; rounded to a multiple of 2^-20, at least one. shares: become
/// slots of the gang by largest remainder, work included (equal remainders: stalls first, in their
/// order). gpus: of the gang, >= 0.
PlanSpeed plan_speed(double speed, const StallShares& shares, std::int64_t gpus);
/// The same of a gang with that many slots.
PlanSpeed plan_speed_on(std::int64_t slots, double speed, const StallShares& shares);

/// Copies row `job_class` of Plan::classes with the speeds of one gang size. speeds: by pool and
/// level, as in Plan::speeds. place: of the class, for the ScenarioError if the plan has no room
/// for another row.
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
