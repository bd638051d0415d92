#pragma once

#include <cstdint>
#include <string_view>

#include "models/random/philox.hpp"
#include "models/units/host_device.hpp"

#include "sim/engine/nodes/gpu_choice.hpp"
#include "sim/engine/nodes/placement_traits.hpp"
#include "sim/plan/ids.hpp"

#include "policies/describe/option.hpp"

namespace bursar { inline namespace policies {

/// The baseline: a gang goes to the first nodes where it fits, from a random node on, wrapping
/// around the pool. The draw depends on the run's seed and the job alone, so it is the same under
/// every queue order.
struct RandomNode {
    static constexpr std::string_view name = "random";
    static constexpr std::string_view summary =
        "the first nodes where it fits, starting from a random one (baseline)";
    static constexpr std::string_view cost = "nodes passed over until the gang fits";
    static constexpr std::string_view source = "baseline";
    static constexpr PlacementTraits traits{.order = NodeOrder::from_a_node, .seed = true};

    std::uint64_t seed{1};

    /// num_nodes: >= 1.
    [[nodiscard]] BURSAR_HD std::uint32_t first_node(JobId job, std::uint32_t num_nodes) const {
        return static_cast<std::uint32_t>(
            RandomStream{seed, Stream::placement}.below(num_nodes, job, 0));
    }

    /// All nodes that fit are equally good.
    [[nodiscard]] BURSAR_HD std::int64_t score(const FleetView&, const PlacedPiece&) const {
        return 0;
    }
};

}} // namespace bursar::policies
