#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"

#include "policies/placement/weights.hpp"

namespace bursar { inline namespace policies {

/// A piece goes to the node whose free GPUs, CPU and memory are best aligned with its request: the
/// largest dot product of the two vectors, each resource as a share of the largest node's.
///
/// Or the smallest: large pieces go where little else is free. With memory_weight 0 that is the
/// DotProd of Weng et al., ATC 2023. They leave ties open; here the node with the least CPU left
/// over wins, so that the numbering of nodes does not matter.
///
/// Source: Grandl et al., "Multi-resource Packing for Cluster Schedulers" (Tetris), SIGCOMM 2014,
/// section 3.2; Panigrahy et al. 2011 for the vector bin packing behind it.
struct DotProduct {
    static constexpr std::string_view name = "dot-product";
    static constexpr std::string_view summary =
        "the node whose free GPUs, CPU and memory are best (or least) aligned with the demand";
    static constexpr std::string_view cost = "distinct node states";
    static constexpr std::string_view source = "Grandl et al. (Tetris), SIGCOMM 2014";
    static constexpr PlacementTraits traits{};
    static constexpr OptionInfo options[]{
        ResourceWeights::cpu_option,
        ResourceWeights::memory_option,
        {.name = "first",
         .kind = OptionKind::choice,
         .meaning = "which product goes first: the largest, as Tetris, or the smallest, as the "
                    "DotProd of Weng et al., ATC 2023",
         .choices = {"largest", "smallest"}}};

    ResourceWeights weights{};
    bool smallest_first{};

    static DotProduct from(const PolicyOptions& given) {
        return {ResourceWeights::from(given), given.value(options[2]) == 1};
    }

    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView& fleet,
                                               const PlacedPiece& placed) const {
        const auto term = [](std::int64_t asked, std::int64_t free, std::int64_t capacity) {
            return share_of(asked, capacity) * share_of(free, capacity) >> 20U;
        };
        const NodeView& node = placed.before;
        const PieceDemand& piece = placed.piece;
        const std::int64_t product =
            1000 * term(piece.slots(), node.free_slots, fleet.max_slots) +
            weights.cpu_milli * term(piece.cpu_milli, node.cpu_milli, fleet.max_cpu_milli) +
            weights.memory_milli * term(piece.memory_mib, node.memory_mib, fleet.max_memory_mib);
        const std::int64_t cpu =
            (std::int64_t{placed.after.cpu_milli} << 12U) / fleet.max_cpu_milli;
        return smallest_first ? product * (std::int64_t{1} << 13U) + cpu : -product;
    }
};

}} // namespace bursar::policies
