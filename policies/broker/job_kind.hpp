#pragma once

#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"

namespace bursar { inline namespace policies {

/// Jobs that a broker treats alike: a class of the plan, a number of GPUs and, where it matters,
/// the region of their saved state.
struct JobKind {
    std::uint16_t job_class{}; ///< of the plan
    std::uint32_t gpus{};
    Duration work{}; ///< at reference speed, the mean of them
    Duration left{}; ///< work left at a stop at a random time, at reference speed: the mean
    std::vector<GangRisk> risks{}; ///< by pool; empty: never interrupted
    std::uint8_t saved_in{};       ///< 1 + region of Plan::pool_region; 0: nothing is saved
};

/// The job kind of each row of a plan's pool orders: the jobs whose shapes begin there
/// (JobShape::order_begin), followed by the same jobs by the region of their saved state.
[[nodiscard]] std::vector<JobKind> kinds_of(const Plan& plan);

}} // namespace bursar::policies
