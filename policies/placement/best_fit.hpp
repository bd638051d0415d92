#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"

#include "policies/placement/weights.hpp"

namespace bursar { inline namespace policies {

/// A piece goes to the node with the least left over, GPUs, CPU and memory taken together; the
/// pieces of a gang largest first.
///
/// Source: Panigrahy, Talwar, Uyeda and Wieder, "Heuristics for Vector Bin Packing", 2011
/// (best-fit decreasing over several dimensions); with memory_weight 0 it is the BestFit that Weng
/// et al., ATC 2023, compare with.
struct BestFitDecreasing {
    static constexpr std::string_view name = "best-fit-decreasing";
    static constexpr std::string_view summary =
        "the node with the least GPUs, CPU and memory left over, largest pieces first";
    static constexpr std::string_view cost = "distinct node states";
    static constexpr std::string_view source = "Panigrahy et al. 2011";
    static constexpr PlacementTraits traits{};
    static constexpr OptionInfo options[]{ResourceWeights::cpu_option,
                                          ResourceWeights::memory_option};

    ResourceWeights weights{};

    static BestFitDecreasing from(const PolicyOptions& given) {
        return {ResourceWeights::from(given)};
    }

    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView& fleet,
                                               const PlacedPiece& placed) const {
        return weighted_free(fleet, placed.after, weights);
    }
};

}} // namespace bursar::policies
