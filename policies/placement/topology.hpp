#pragma once

#include <cstdint>
#include <string_view>

#include "models/units/host_device.hpp"

#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"

namespace bursar { inline namespace policies {

/// A gang of several nodes goes into the narrowest locality group that holds it, between groups of
/// one level into the one with the least free, and inside it into as few narrower groups as can be
/// (64 GPUs: the fewest racks). A class that prefers a level is content with a group of that one.
/// What fits on one node goes to the fullest node with room.
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
