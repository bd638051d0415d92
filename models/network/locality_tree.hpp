#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/units/physics.hpp"

namespace bursar {

/// One level of the locality tree: the smallest domain that holds a group decides what its traffic
/// crosses (design.md 2).
struct LinkLevel {
    std::string name;    ///< "node", "rack", "fabric"
    std::int64_t gpus{}; ///< GPUs in one domain of this level; grows from level to level
    /// What one GPU sends to others of the domain, one direction, when all of them send: a node's
    /// NICs divided by its GPUs. Oversubscription is already divided in. > 0
    ByteRate bandwidth{};
    Seconds latency{};           ///< per hop, >= 0
    bool in_network_reduction{}; ///< NVLink SHARP: all-reduce inside the domain
    std::string source;          ///< where the figures come from
};

/// From the innermost level (GPUs of one node) outward. Never empty.
struct LocalityTree {
    std::vector<LinkLevel> levels;
};

/// Ranks of one communicator: `size` ranks, neighbours `stride` GPUs apart in placement order.
struct CommGroup {
    std::int64_t size{1};
    std::int64_t stride{1};
};

} // namespace bursar
