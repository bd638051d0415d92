#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/capacity/free_nodes.hpp"
#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"

namespace bursar { inline namespace policies {

/// The rest of a gang goes to the fullest node where it fits; ties by node order.
/// Source: Hu et al., SC 2021 (Helios), "consolidate" placement of its simulator.
struct Consolidated {
    static constexpr std::string_view name = "consolidated";
    static constexpr std::string_view summary =
        "whole nodes first, the rest on the fullest node where it fits";
    static constexpr std::string_view cost =
        "a word per number of free GPUs; else distinct node states";
    static constexpr std::string_view source = "Hu et al. (Helios), SC 2021";
    static constexpr PlacementTraits traits{.rest_node = true};

    /// rest: 1 .. gpus_per_node - 1; a node has that many free GPUs.
    [[nodiscard]] BURSAR_HD std::uint32_t rest_node(const FreeNodes& nodes,
                                                    std::uint32_t rest) const {
        for (std::uint32_t free = rest; free <= nodes.gpus_per_node(); ++free) {
            if (nodes.num_with_free(free) > 0)
                return nodes.lowest_with_free(free);
        }
        return FreeNodes::none;
    }

    /// The same on nodes in full, with CPU, memory and parts of GPUs.
    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView&, const PlacedPiece& placed) const {
        return placed.after.free_slots;
    }
};

}} // namespace bursar::policies
