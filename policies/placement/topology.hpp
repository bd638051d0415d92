#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"

namespace bursar { inline namespace policies {

/// A gang of several nodes goes into the narrowest locality group that holds it: of groups of one
/// level the one with the least free GPUs, and inside it into as few narrower groups as possible
/// (64 GPUs: the fewest racks). A class that prefers a level accepts any group of that level. A
/// gang that fits on one node goes to the fullest such node.
///
/// Source: Amaral et al., "Topology-Aware GPU Scheduling for Learning Workloads in Cloud
/// Environments", SC 2017; the fewest and fullest leaf switches as Slurm's topology/tree plugin.
struct TopologyAware {
    static constexpr std::string_view name = "topology";
    static constexpr std::string_view summary =
        "the narrowest group of nodes that holds the gang, in as few racks as possible";
    static constexpr std::string_view cost =
        "distinct node states; nodes for a gang of several nodes";
    static constexpr std::string_view source = "Amaral et al., SC 2017; Slurm topology/tree";
    static constexpr PlacementTraits traits{.order = NodeOrder::by_group};

    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView&, const PlacedPiece& placed) const {
        return placed.after.free_slots;
    }
};

}} // namespace bursar::policies
