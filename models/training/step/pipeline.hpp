#pragma once

#include <cstdint>

#include "models/training/layout.hpp"
#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

/// One micro-batch on one stage, its messages to the neighbours included.
struct StageTime {
    Seconds forward;
    Seconds backward;

    [[nodiscard]] Seconds both() const { return forward + backward; }
};

/// Bubble over useful work: (p - 1) / (v m), the same for GPipe and 1F1B (v = 1). Source: Narayanan
/// et al. 2021 section 2.2. stages, chunks, micro_batches: > 0.
double bubble_ratio(std::int64_t stages, std::int64_t chunks, std::int64_t micro_batches);

/// The same as a share of the whole: r / (1 + r).
double bubble_share(std::int64_t stages, std::int64_t chunks, std::int64_t micro_batches);

/// Time from the first forward to the last backward in closed form: the slowest stage serves every
/// micro-batch, and one micro-batch's fill and drain pass through the others, divided over the
/// chunks. m max(f + b) + (sum(f + b) - max(f + b)) / v; exact for equal stages and when the last
/// stage is the slowest (pipeline_schedule.hpp plays the schedule out).
///
/// slowest: the largest f + b. sum: of f + b over all stages.
BURSAR_HD constexpr Seconds
pipeline_makespan(Seconds slowest, Seconds sum, std::int64_t chunks, std::int64_t micro_batches) {
    return slowest * static_cast<double>(micro_batches) +
           (sum - slowest) / static_cast<double>(chunks);
}

}} // namespace bursar::models
