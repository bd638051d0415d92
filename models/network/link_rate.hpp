#pragma once

#include <cstdint>

#include "models/network/group_shape.hpp"

namespace bursar { inline namespace models {

/// How messages of a collective travel: at the link's full rate, or with fewer steps to wait for.
enum class Protocol : std::uint8_t { bulk, low_latency };

/// Share of a GPU's links that a group of `ranks` inside one domain of `gpus` can use, (0, 1].
///
/// full_mesh: (n-1)/(gpus-1). cube_mesh: the edge-disjoint rings NCCL finds among the first n GPUs
/// of a DGX-1V, of its six links: 1, 2, 4, 1.65, 2, 4, 6 for n = 2..8 (measured on V100, NVLink 2:
/// `collectives.csv` of vTrain, read 2026-11).
[[nodiscard]] double wired_share(Wiring wiring, std::int64_t ranks, std::int64_t gpus);

/// Bytes per second that one GPU of the group sends over this level, > 0.
[[nodiscard]] double link_rate(const GroupShape::Crossing& crossing, Protocol protocol);

/// Whether every level the group crosses has a low-latency protocol.
[[nodiscard]] bool has_low_latency(const GroupShape& shape);

[[nodiscard]] inline Seconds startup(const LinkLevel& level, Protocol protocol) {
    return protocol == Protocol::bulk ? level.startup : level.low_latency.startup;
}

[[nodiscard]] inline Seconds latency(const LinkLevel& level, Protocol protocol) {
    return protocol == Protocol::bulk ? level.latency : level.low_latency.latency;
}

}} // namespace bursar::models
