#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"

#include "policies/placement/weights.hpp"

namespace bursar { inline namespace policies {

/// A piece goes to the node with the most left over, GPUs, CPU and memory together; a part of a GPU
/// goes to the emptiest GPU there: load is spread.
///
/// Source: Johnson, "Near-optimal bin packing algorithms", 1973; LeastAllocated of Kubernetes.
struct WorstFit {
    static constexpr std::string_view name = "worst-fit";
    static constexpr std::string_view summary =
        "the node with the most GPUs, CPU and memory left over";
    static constexpr std::string_view cost = "distinct node states";
    static constexpr std::string_view source = "Johnson 1973";
    static constexpr PlacementTraits traits{};
    static constexpr OptionInfo options[]{ResourceWeights::cpu_option,
                                          ResourceWeights::memory_option};

    ResourceWeights weights{};

    static WorstFit from(const PolicyOptions& given) { return {ResourceWeights::from(given)}; }

    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView& fleet,
                                               const PlacedPiece& placed) const {
        // The rest on the node is the same for all its GPUs, so the GPU only breaks ties.
        return -(weighted_free(fleet, placed.after, weights) * (slots_per_gpu + 1) +
                 placed.gpu_free);
    }
};

}} // namespace bursar::policies
