#pragma once

#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// Jobs that a broker sees alike: a class of the plan, a number of GPUs and, where it asks, the
/// region of what they have saved.
struct JobKind {
    std::uint16_t job_class{}; ///< of the plan
    std::uint32_t gpus{};
    Duration work{}; ///< at reference speed, the mean of them
    Duration
        left{}; ///< of one that is stopped at any time of its work, at reference speed: the mean
    std::vector<GangRisk> risks{}; ///< by pool; empty: nothing ever interrupts them
    std::uint8_t saved_in{};       ///< 1 + region of Plan::pool_region; 0: they have saved nothing
};

/// What the rows of a plan's orders of pools are for: the jobs whose shapes begin there
/// (JobShape::order_begin), and behind each the same by the region of what they have saved.
[[nodiscard]] std::vector<JobKind> kinds_of(const Plan& plan);

}} // namespace bursar::policies
