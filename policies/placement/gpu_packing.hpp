#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"

namespace bursar { inline namespace policies {

/// A piece goes to the shared GPU with the least free space that fits it; else to free GPUs of a
/// node in use; else to the smallest idle node. The source leaves ties open; here the node with the
/// least GPUs and CPU left over wins, so that the numbering of nodes does not matter.
///
/// Source: the GPU packing that Weng et al., ATC 2023, compare with (their simulator's GpuPacking,
/// which rounds what is free of a shared GPU to a tenth).
struct GpuPacking {
    static constexpr std::string_view name = "gpu-packing";
    static constexpr std::string_view summary =
        "shared GPUs first, then free GPUs of nodes in use, then the smallest idle node";
    static constexpr std::string_view cost = "distinct node states";
    static constexpr std::string_view source = "Weng et al., ATC 2023 (GpuPacking)";
    static constexpr PlacementTraits traits{};

    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView& fleet,
                                               const PlacedPiece& placed) const {
        const NodeView& after = placed.after;
        const std::int64_t left = (std::int64_t{after.free_slots} << 12U) / fleet.max_slots +
                                  (std::int64_t{after.cpu_milli} << 12U) / fleet.max_cpu_milli;
        return packing(placed) * (std::int64_t{1} << 14U) + left; // left: at most 2 * 2^12
    }

  private:
    static constexpr std::int64_t step = std::int64_t{1} << 20U; ///< more than any number of GPUs

    [[nodiscard]] BURSAR_HD static std::int64_t packing(const PlacedPiece& placed) {
        const NodeView& node = placed.before;
        if (placed.piece.gpus == 0)
            return 0;
        if (node.free_gpus == node.pool->gpus_per_node)
            return 2 * step + node.free_gpus;
        const std::int64_t taken = std::int64_t{node.free_gpus} - placed.after.free_gpus;
        return taken > 0 ? step + taken : placed.gpu_free;
    }
};

}} // namespace bursar::policies
