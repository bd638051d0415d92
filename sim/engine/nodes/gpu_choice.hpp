#pragma once

#include <cstdint>
#include <limits>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/node_view.hpp"

namespace bursar { inline namespace sim {

/// The score of a node for a piece, least first, and the GPU for a piece that shares one.
struct NodeScore {
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max(); ///< no room

    std::int64_t score{never};
    std::uint32_t gpu_free{}; ///< free slots of that GPU; identifies it
};

/// A piece on a node, as placements see it.
struct PlacedPiece {
    NodeView before;
    NodeView after;
    PieceDemand piece;
    std::uint32_t gpu_free{}; ///< free slots before, of the GPU that it shares
};

/// A node after it has got a piece. shared: memory for NodeView::shared_slots of the answer.
BURSAR_HD inline NodeView after_taking(const NodeView& node,
                                       const PieceDemand& piece,
                                       std::uint32_t gpu_free,
                                       std::uint16_t* shared) {
    NodeView after = node;
    if (node.pool->cpu_milli != 0)
        after.cpu_milli -= piece.cpu_milli;
    if (node.pool->memory_mib != 0)
        after.memory_mib -= piece.memory_mib;
    after.free_slots -= static_cast<std::uint32_t>(piece.slots());
    if (!piece.shares_gpu()) {
        after.free_gpus -= piece.gpus;
        return after;
    }
    if (gpu_free == slots_per_gpu)
        --after.free_gpus;
    const auto left = static_cast<std::uint16_t>(gpu_free - piece.gpu_slots);
    bool taken = gpu_free == slots_per_gpu; // the GPU that loses slots is not among the shared ones
    bool put = left == 0;
    after.num_shared = 0;
    for (std::uint32_t i = 0; i < node.num_shared; ++i) {
        const std::uint16_t free = node.shared_slots[i];
        if (!put && left <= free) {
            shared[after.num_shared++] = left;
            put = true;
        }
        if (!taken && free == gpu_free) {
            taken = true;
            continue;
        }
        shared[after.num_shared++] = free;
    }
    if (!put)
        shared[after.num_shared++] = left;
    after.shared_slots = shared;
    return after;
}

/// The best score of a piece on a node; between equally good GPUs the one with the fewest free
/// slots.
///
/// placement: `score(FleetView, PlacedPiece) -> int64`.
template <class Placement>
BURSAR_HD NodeScore score_node(const Placement& placement,
                               const FleetView& fleet,
                               const NodeView& node,
                               const PieceDemand& piece) {
    NodeScore best;
    if (!node.fits(piece))
        return best;
    std::uint16_t shared[max_gpus_per_node];
    const auto consider = [&](std::uint32_t gpu_free) {
        const std::int64_t score = placement.score(
            fleet, {node, after_taking(node, piece, gpu_free, shared), piece, gpu_free});
        if (score < best.score)
            best = {score, gpu_free};
    };
    if (!piece.shares_gpu()) {
        consider(slots_per_gpu);
        return best;
    }
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < node.num_shared; ++i) {
        const std::uint32_t gpu_free = node.shared_slots[i];
        if (gpu_free >= piece.gpu_slots && gpu_free != last)
            consider(gpu_free);
        last = gpu_free;
    }
    if (node.free_gpus > 0)
        consider(slots_per_gpu);
    return best;
}

}} // namespace bursar::sim
