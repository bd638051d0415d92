#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"

namespace bursar { inline namespace policies {

/// Free slots of a node that a job drawn from all jobs of the plan cannot use, in expectation,
/// times the number of those jobs: a sum over the shapes of jobs, so a whole number.
///
/// F_n(m) of a job m: all free slots, if m requests no GPU or does not fit the node; otherwise the
/// free slots of GPUs with less than m needs on one. A gang of several nodes counts as its piece on
/// a whole node. Source: Weng et al., ATC 2023, section 3.2.
BURSAR_HD inline std::int64_t unusable_slots(const FleetView& fleet, const NodeView& node) {
    const std::int64_t on_shared = node.free_slots - std::int64_t{node.free_gpus} * slots_per_gpu;
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < fleet.num_shapes && node.free_slots > 0; ++i) {
        const std::int64_t jobs = fleet.jobs_of_shape[i];
        const JobShape& shape = fleet.shapes[i];
        const std::uint32_t per_node = node.pool->gpus_per_node;
        const PieceDemand piece = piece_of(shape, shape.gpus < per_node ? shape.gpus : per_node);
        if (shape.gpus == 0 || (shape.permitted_pools >> node.pool_index & 1U) == 0 ||
            !node.fits(piece)) {
            sum += jobs * node.free_slots;
        } else if (!piece.shares_gpu()) {
            sum += jobs * on_shared;
        } else {
            for (std::uint32_t gpu = 0;
                 gpu < node.num_shared && node.shared_slots[gpu] < piece.gpu_slots;
                 ++gpu)
                sum += jobs * node.shared_slots[gpu];
        }
    }
    return sum;
}

/// A piece goes where it adds least to the expected fragmentation: the free slots that jobs like
/// those of the workload cannot use. The paper leaves ties open; here the node with the least GPUs
/// and CPU left over (the paper's two resources) wins, so that the numbering of nodes does not
/// matter.
///
/// Source: Weng, Yang, Yu, Wang, Tang, Yang and Zhang, "Beware of Fragmentation: Scheduling
/// GPU-Sharing Workloads with Fragmentation Gradient Descent", USENIX ATC 2023. The job mix is all
/// jobs of the plan by shape.
struct FragmentationDescent {
    static constexpr std::string_view name = "fgd";
    static constexpr std::string_view summary =
        "the node where fragmentation grows least: free slots that the workload's jobs cannot use";
    static constexpr std::string_view cost = "distinct node states; new ones times job shapes";
    static constexpr std::string_view source = "Weng et al., ATC 2023";
    static constexpr PlacementTraits traits{.reads_jobs = true};

    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView& fleet,
                                               const PlacedPiece& placed) const {
        const std::int64_t added =
            unusable_slots(fleet, placed.after) - unusable_slots(fleet, placed.before);
        const NodeView& after = placed.after;
        const std::int64_t left = (std::int64_t{after.free_slots} << 12U) / fleet.max_slots +
                                  (std::int64_t{after.cpu_milli} << 12U) / fleet.max_cpu_milli;
        return added * (std::int64_t{1} << 14U) + left; // left: at most 2 * 2^12
    }
};

}} // namespace bursar::policies
