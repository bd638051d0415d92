#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/topology/fabric.hpp"

namespace bursar { inline namespace models {

/// A tier of switches above the nodes (racks, pods), each over `nodes` consecutive nodes.
struct FabricTier {
    std::string name;     ///< "rack"
    std::int64_t nodes{}; ///< under one switch of this tier; a multiple of the tier below
    /// From one switch of this tier upward, all cables together. Absent: the traffic from below
    /// divided by `oversubscription`.
    std::optional<ByteRate> uplink;
    double oversubscription{1}; ///< > 0; 1: no oversubscription
};

/// A regular fabric, in a few numbers. One switch of the graph stands for enough parallel ones to
/// carry its traffic without blocking.
struct RegularFabric {
    std::string name;
    std::int64_t nodes{};         ///< >= 1
    std::int64_t gpus_per_node{}; ///< >= 1
    /// GPUs of one NVLink domain: a divisor of gpus_per_node, or a multiple (an NVL72 rack is 18
    /// nodes of 4); 0: GPUs reach each other through the host only.
    std::int64_t nvlink{};
    ByteRate nvlink_link{}; ///< of one GPU; > 0 where there are domains
    ByteRate pcie_link{};   ///< of one GPU to its host and adapter, > 0
    std::int64_t rails{1}; ///< adapters per node; above 1 each has its own switch of the first tier
    ByteRate node_link{};  ///< all adapters of a node together; torus: one link to one neighbour
    std::vector<FabricTier> tiers;   ///< from the inside out; none: all nodes under one switch
    std::vector<std::int64_t> torus; ///< lengths of its sides; empty: switches as above
    std::vector<std::int64_t> tile;  ///< sides of the tiles that are one group; empty: no tiles
};

/// Adds the devices of the node `enclosure`, and the links among them. Returns its ports to the
/// network: its adapters, in a torus its router.
///
/// domain: the switch of an NVLink domain that spans nodes, if there is one.
std::vector<std::uint32_t> add_node(FabricBuilder& fabric,
                                    std::uint32_t enclosure,
                                    const std::string& path,
                                    const RegularFabric& spec,
                                    std::optional<std::uint32_t> domain);

/// Default latencies of links by kind: through the link and the device at its end. Vendors'
/// port-to-port figures rounded up (a switch 130-230 ns, an adapter 600 ns) and half the
/// peer-to-peer time within a node, without software [unverified].
inline constexpr Seconds nvlink_latency{0.3e-6};
inline constexpr Seconds pcie_latency{0.5e-6};
inline constexpr Seconds adapter_latency{0.6e-6};
inline constexpr Seconds switch_latency{0.3e-6};

/// The graph of `spec`. Nodes are "node[n]", numbered by tier, and "node[x,y]" in a torus, numbered
/// by tile, then along the shorter sides first.
///
/// Throws ModelError that names the member at fault, or the tier: domains, tiers or tiles that do
/// not divide, a torus of another number of nodes, more rails than GPUs in a node, and faults that
/// FabricBuilder finds.
[[nodiscard]] Fabric make_fabric(const RegularFabric& spec);

/// Throws ModelError for a torus or tiles that conflict with other members of `spec`.
void check_torus(const RegularFabric& spec);

/// The graph of a torus: every node's router is joined to the next one along each side, wrapping
/// around (a side of 2 has one link, not two). Precondition: check_torus passed.
Fabric make_torus(const RegularFabric& spec);

}} // namespace bursar::models
