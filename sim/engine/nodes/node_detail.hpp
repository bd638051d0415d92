#pragma once

#include <cstdint>

#include "sim/plan/ids.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar { inline namespace sim {

/// Properties of a plan that decide how much detail nodes need.
struct NodeDetail {
    bool shares_gpus{};  ///< some job requests a part of a GPU
    bool has_cpu_jobs{}; ///< some job requests no GPU
    bool counts_cpu{};   ///< some pool has limited CPU or memory
    bool has_levels{};   ///< there are several locality levels
    bool keeps_kinds{};  ///< the placement reads the kinds of pieces on a node

    /// Whether only the number of free GPUs of a node matters.
    [[nodiscard]] BURSAR_HD bool is_plain() const {
        return !shares_gpus && !has_cpu_jobs && !counts_cpu && !has_levels;
    }
};

BURSAR_HD inline NodeDetail detail_of(const PlanView& plan) {
    NodeDetail detail;
    for (ShapeId shape{0}; shape < plan.num_shapes; ++shape) {
        detail.has_cpu_jobs |= plan.shapes[shape].gpus == 0;
        detail.shares_gpus |=
            plan.shapes[shape].gpus != 0 && plan.shapes[shape].gpu_slots < slots_per_gpu;
    }
    for (PoolId pool{0}; pool < plan.num_pools; ++pool)
        detail.counts_cpu |= plan.pools[pool].cpu_milli != 0 || plan.pools[pool].memory_mib != 0;
    detail.has_levels = plan.num_levels > 1;
    return detail;
}

}} // namespace bursar::sim
