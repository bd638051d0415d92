#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"

namespace bursar { inline namespace policies {

/// Pieces of one kind (part of a GPU, one GPU, two, ...) go together: first to a node with this
/// kind alone, then to one with this kind among others, then to an idle node, last to one with
/// other kinds alone; in each group to the node with the fewest free GPUs. The source leaves ties
/// open; here the node with the least CPU left over wins.
///
/// Source: Xiao et al., "Gandiva", OSDI 2018 (jobs of one gang size on a node); as Weng et al., ATC
/// 2023, compare with it (their simulator's GpuClustering).
struct GpuClustering {
    static constexpr std::string_view name = "gpu-clustering";
    static constexpr std::string_view summary =
        "nodes that hold gangs of the same size first, those with the fewest free GPUs";
    static constexpr std::string_view cost = "distinct node states";
    static constexpr std::string_view source = "Gandiva (Xiao et al., OSDI 2018)";
    static constexpr PlacementTraits traits{.reads_kinds = true};

    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView& fleet,
                                               const PlacedPiece& placed) const {
        const NodeView& node = placed.before;
        const std::int64_t cpu =
            (std::int64_t{placed.after.cpu_milli} << 12U) / fleet.max_cpu_milli;
        const std::int64_t free = placed.piece.gpus == 0 ? 0 : node.free_slots;
        const std::int64_t company = rank(node.kinds, placed.piece);
        return (company << 32U | free) << 14U | cpu;
    }

  private:
    [[nodiscard]] BURSAR_HD static std::int64_t rank(PieceKinds kinds, const PieceDemand& piece) {
        if (piece.gpus == 0)
            return 0;
        if (kinds.contains(piece.kind()))
            return kinds.has_one() ? 0 : 1;
        return kinds.empty() ? 2 : 3;
    }
};

}} // namespace bursar::policies
