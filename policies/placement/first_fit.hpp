#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/capacity/free_nodes.hpp"
#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"

namespace bursar { inline namespace policies {

/// The rest of a gang goes to the lowest-numbered node where it fits.
struct FirstFit {
    static constexpr std::string_view name = "first-fit";
    static constexpr std::string_view summary =
        "whole nodes first, the rest on the lowest-numbered node where it fits";
    static constexpr std::string_view cost =
        "a word per number of free GPUs; else distinct node states";
    static constexpr std::string_view source = "Garey, Graham and Ullman 1972";
    static constexpr PlacementTraits traits{.rest_node = true};

    /// rest: 1 .. gpus_per_node - 1; a node has that many free GPUs.
    [[nodiscard]] BURSAR_HD std::uint32_t rest_node(const FreeNodes& nodes,
                                                    std::uint32_t rest) const {
        std::uint32_t lowest = FreeNodes::none;
        for (std::uint32_t free = rest; free <= nodes.gpus_per_node(); ++free) {
            const std::uint32_t node = nodes.lowest_with_free(free);
            if (node < lowest)
                lowest = node; // none is the largest number
        }
        return lowest;
    }

    /// The same on nodes in full, with CPU, memory and parts of GPUs.
    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView&, const PlacedPiece&) const {
        return 0;
    }
};

}} // namespace bursar::policies
