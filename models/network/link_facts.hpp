#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "models/gpu/gpu.hpp"
#include "models/network/locality_tree.hpp"

namespace bursar {

/// What is known of one generation of links between GPUs: the rate its vendor states and, fitted to
/// published measurements, how collectives use it.
struct LinkFacts {
    std::string_view name; ///< "NVLink 4"
    double gb_s{};         ///< GB/s of one GPU, one direction, as vendors state it
    double startup_us{};   ///< once per collective
    double hop_us{};       ///< per hop
    double efficiency{};   ///< share of the rate that large rings reach
    double pair_loss{};    ///< LinkLevel::pair_loss
    double low_latency_startup_us{};
    double low_latency_hop_us{};
    double low_latency_efficiency{}; ///< 0: no such protocol known
    double reduction_startup_us{};   ///< of one all-reduce by NVLink SHARP
    double reduction_efficiency{};   ///< share of the rate reached by NVLink SHARP; 0: has none
    std::int64_t reduction_ranks{};  ///< smallest group it is used for
    Wiring wiring{Wiring::switched};
    std::string_view source; ///< of the constants, with the date of the fit
};

/// Every link generation known, innermost links first, then networks between nodes.
[[nodiscard]] std::span<const LinkFacts> all_link_facts();

/// The link of that name; upper and lower case and blanks do not matter ("NVLink4").
[[nodiscard]] std::optional<LinkFacts> find_link(std::string_view name);

/// The link between GPUs of one node. A GPU that the table does not know by name is taken for one
/// of the generation whose rate is next to its own. Throws UnknownFact if the GPU states no rate.
[[nodiscard]] LinkFacts scaleup_link(const Gpu& gpu, std::int64_t gpus_per_node);

/// What the network between nodes is taken for when nobody says: InfiniBand or RoCE.
[[nodiscard]] LinkFacts node_network_link();

/// A level of `gpus` GPUs on such a link at `bandwidth` per GPU.
[[nodiscard]] LinkLevel
link_level(const LinkFacts& facts, std::string_view name, std::int64_t gpus, ByteRate bandwidth);

} // namespace bursar
