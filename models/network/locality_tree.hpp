#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/units/physics.hpp"

namespace bursar { inline namespace models {

class MeasuredCollectives;

/// How the GPUs of one domain are wired: a group of fewer ranks than the domain holds may reach
/// only a part of each GPU's links.
enum class Wiring : std::uint8_t {
    switched,  ///< every GPU reaches any other at its full rate (NVSwitch, a non-blocking fabric)
    full_mesh, ///< one link to each other GPU: n ranks use n - 1 of them (MI300X)
    cube_mesh  ///< hybrid cube mesh of eight GPUs (DGX-1 with V100)
};

/// A protocol for small messages with lower latency and less of the rate (NCCL's LL and LL128).
struct LowLatencyProtocol {
    Seconds startup{};   ///< once per collective, >= 0
    Seconds latency{};   ///< per hop, >= 0
    double efficiency{}; ///< share of the link's rate; 0: the link has no such protocol
};

/// All-reduce by a switch that adds (NVLink SHARP).
struct SwitchReduction {
    Seconds startup{};      ///< of one all-reduce, >= 0
    double efficiency{0.6}; ///< share of the link's rate, (0, 1]
    std::int64_t ranks{5};  ///< smallest group it is used for
};

/// One level of the locality tree: the smallest domain that holds a group decides what its traffic
/// crosses.
struct LinkLevel {
    std::string name{};  ///< "node", "rack", "fabric"
    std::int64_t gpus{}; ///< GPUs in one domain of this level; grows from level to level
    /// Rate of one GPU to others of the domain, one direction, when all of them send: a node's NICs
    /// divided by its GPUs. Oversubscription is already divided in. > 0
    ByteRate bandwidth{};
    Seconds latency{};           ///< per hop, >= 0
    bool in_network_reduction{}; ///< NVLink SHARP: all-reduce inside the domain
    std::string source{};        ///< where the figures come from
    Seconds startup{};           ///< once per collective that crosses this level, >= 0
    double efficiency{1};        ///< share of `bandwidth` that large buffers reach, (0, 1]
    double pair_loss{0};         ///< share of that lost by a group of two; 2/n of it by n; [0, 1)
    Wiring wiring{Wiring::switched};
    LowLatencyProtocol low_latency{};
    SwitchReduction reduction{}; ///< meaningful with in_network_reduction
};

/// From the innermost level (GPUs of one node) outward. Never empty.
struct LocalityTree {
    std::vector<LinkLevel> levels{};
    std::shared_ptr<const MeasuredCollectives> measured{}; ///< null: formulas alone
};

/// Ranks of one communicator: `size` ranks, neighbours `stride` GPUs apart in placement order.
///
/// A group that skips GPUs of a node (stride > 1) is one of several that communicate at the same
/// time, one for each skipped GPU. So each rank gets only its GPU's share of every level, even if
/// the others are idle.
struct CommGroup {
    std::int64_t size{1};
    std::int64_t stride{1};

    friend bool operator==(const CommGroup&, const CommGroup&) = default;
};

}} // namespace bursar::models
