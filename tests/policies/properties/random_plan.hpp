#pragma once

#include <cstdint>

#include "sim/plan/plan.hpp"

namespace bursar::test {

/// How much of what a plan can say is drawn.
struct PlanRange {
    int max_pools{3};
    int max_jobs{25};
    bool with_overheads{true};     ///< startup, recovery, saves, teardown
    bool with_every_save{true};    ///< all kinds of checkpoint, not only the free one
    bool with_speeds{false};       ///< by pool, with stalls
    bool with_estimates{false};    ///< that differ from what is true
    bool with_details{false};      ///< CPU that nodes run short of, parts of GPUs, jobs without any
    bool with_room_for_all{false}; ///< every pool holds all jobs at once
};

/// Anything from an eighth to three times the reference, and any part of the gang at a stand.
PlanSpeed draw_plan_speed(std::uint32_t gpus);

/// A random small plan: few GPUs, many ties, jobs of no length among them.
Plan draw_plan(const PlanRange& range = {});

/// A time by which any run without livelock is over: everything one job after the other, each
/// begun again many times.
Duration generous_end(const Plan& plan);

} // namespace bursar::test
