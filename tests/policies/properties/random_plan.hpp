#pragma once

#include <cstdint>

#include "sim/plan/plan.hpp"

namespace bursar::test {

/// The features of drawn plans.
struct PlanRange {
    int max_pools{3};
    int max_jobs{25};
    bool with_overheads{true};     ///< startup, recovery, saves, teardown
    bool with_every_save{true};    ///< all kinds of checkpoint, not only the free one
    bool with_speeds{false};       ///< by pool, with stalls
    bool with_estimates{false};    ///< that differ from the true run times
    bool with_details{false};      ///< scarce CPU, parts of GPUs, jobs without GPUs
    bool with_forms{false};        ///< jobs that may have other numbers of GPUs; with_speeds
    bool with_pairs{false};        ///< jobs that may share GPUs; with_speeds, nothing to save
    bool with_room_for_all{false}; ///< every pool holds all jobs at once
};

/// From an eighth to three times the reference speed, with any part of the gang stalled.
PlanSpeed draw_plan_speed(std::uint32_t gpus);

/// A random small plan: few GPUs, many ties, some jobs of zero length.
Plan draw_plan(const PlanRange& range = {});

/// A time by which any run without livelock is over: that of all jobs in sequence, each restarted
/// many times.
Duration generous_end(const Plan& plan);

} // namespace bursar::test
