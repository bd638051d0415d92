#pragma once

#include <cstdint>
#include <vector>

#include "models/units/units.hpp"

#include "sim/plan/plan.hpp"

namespace bursar::inline policies {

/// Jobs that a broker sees alike: a class of the plan and a number of GPUs.
struct JobKind {
    std::uint16_t job_class{}; ///< of the plan
    std::uint32_t gpus{};
    Duration work{}; ///< at reference speed, the mean of them
};

/// What the rows of a plan's orders of pools are for: the jobs whose shapes begin there
/// (JobShape::order_begin).
[[nodiscard]] std::vector<JobKind> kinds_of(const Plan& plan);

} // namespace bursar::inline policies
