#pragma once

#include <cstdint>
#include <optional>

#include "models/network/collective.hpp"
#include "models/network/group_shape.hpp"

/// The algorithms of FORMULAS 4.6, each as startup + hops + traffic over the levels a group
/// crosses. Symbols: S the buffer, n the ranks, r_l the ranks that share one domain below level l
/// (and with it that many GPUs' links out of it), B_l the rate one GPU reaches on level l.
///
/// Every level can send small messages by a low-latency protocol; an algorithm takes the protocol
/// that is faster for the call.
namespace bursar { inline namespace models {

/// The protocol of a collective's messages: full rate, or low latency.
enum class Protocol : std::uint8_t { bulk, low_latency };

/// Share of a GPU's links that a group of `ranks` inside one domain of `gpus` can use, (0, 1].
///
/// full_mesh: (n-1)/(gpus-1). cube_mesh: the edge-disjoint rings NCCL finds among the first n GPUs
/// of a DGX-1V, of its six links: 1, 2, 4, 1.65, 2, 4, 6 for n = 2..8 (measured on V100, NVLink 2:
/// `collectives.csv` of vTrain, read 2026-11).
[[nodiscard]] double wired_share(Wiring wiring, std::int64_t ranks, std::int64_t gpus);

/// Bytes per second that one GPU of the group sends over this level, > 0.
[[nodiscard]] double
link_rate(const GroupShape::Crossing& crossing, Protocol protocol, const CollectiveTuning& tuning);

/// Whether every level the group crosses has a low-latency protocol.
[[nodiscard]] bool has_low_latency(const GroupShape& shape);

[[nodiscard]] inline Seconds startup(const LinkLevel& level, Protocol protocol) {
    return protocol == Protocol::bulk ? level.startup : level.low_latency.startup;
}

[[nodiscard]] inline Seconds latency(const LinkLevel& level, Protocol protocol) {
    return protocol == Protocol::bulk ? level.latency : level.low_latency.latency;
}

struct CollectiveCall {
    Collective kind;
    ByteVolume volume;
    const GroupShape& shape; ///< of two ranks or more
    const CollectiveTuning& tuning;
};

/// One ring through all ranks for each GPU of a node, so that every link out of a node is used:
/// traffic max over levels of k S / (r_l B_l) with k the bus factor; hops: those of the ring, twice
/// for all-reduce. On one level this is 2 (n-1) latency + 2 (n-1)/n S/B (Patarasuk and Yuan 2009).
/// Not for all-to-all.
std::optional<CollectiveCost> ring_cost(const CollectiveCall& call);

/// All-reduce and broadcast: a chain inside the node and double binary trees above it, as NCCL
/// builds them (Sanders 2009): 2 S / (r_l B_l) and 2 ceil(log2 parts) hops, half for broadcast.
std::optional<CollectiveCost> tree_cost(const CollectiveCall& call);

/// All-reduce, reduce-scatter and all-gather in ceil(log2 n) exchanges, the traffic of the ring.
std::optional<CollectiveCost> halving_doubling_cost(const CollectiveCall& call);

/// All-reduce inside one domain whose switch adds: each GPU sends its buffer once to be added and
/// the n-th part of the sum once to be spread, (n+1)/n S/B.
std::optional<CollectiveCost> in_network_cost(const CollectiveCall& call);

/// Groups over several levels: reduce-scatter inward to outward, all-gather back, each level at
/// (parts-1)/parts of what the level below left; `phase_overlap` of the shorter phases stays.
std::optional<CollectiveCost> hierarchical_cost(const CollectiveCall& call);

/// All-to-all, every rank to every other: the busiest level decides, (n-1) hops.
std::optional<CollectiveCost> direct_cost(const CollectiveCall& call);

/// All-to-all over several levels: ranks of a node first gather the data for one other node, so
/// hops grow with the parts of each level instead of with n.
std::optional<CollectiveCost> grouped_cost(const CollectiveCall& call);

}} // namespace bursar::models
