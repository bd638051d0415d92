#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpu/gpu.hpp"
#include "models/network/locality_tree.hpp"

namespace bursar { inline namespace models {

/// What a link joins.
enum class LinkKind : std::uint8_t {
    scaleup, ///< GPUs of one domain: NVLink, Infinity Fabric
    pcie,    ///< GPUs of one host without links of their own
    network  ///< nodes
};

inline constexpr std::array<std::string_view, 3> link_kind_names{"scaleup", "pcie", "network"};

/// What is known of one generation of links between GPUs: the rate its vendor states and, fitted to
/// published measurements, how collectives use it.
struct LinkFacts {
    std::string name;              ///< "NVLink 4"
    std::vector<std::string> gpus; ///< starts of the names of GPUs that have it
    LinkKind kind{LinkKind::scaleup};
    bool for_unknown{};  ///< taken for links of GPUs that no `gpus` names, by its rate
    double gb_s{};       ///< GB/s of one GPU, one direction, as vendors state it
    double startup_us{}; ///< once per collective
    double hop_us{};     ///< per hop
    double efficiency{}; ///< share of the rate that large rings reach
    double pair_loss{};  ///< LinkLevel::pair_loss
    double low_latency_startup_us{};
    double low_latency_hop_us{};
    double low_latency_efficiency{}; ///< 0: no such protocol known
    double reduction_startup_us{};   ///< of one all-reduce by NVLink SHARP
    double reduction_efficiency{};   ///< share of the rate reached by NVLink SHARP; 0: has none
    std::int64_t reduction_ranks{};  ///< smallest group it is used for
    Wiring wiring{Wiring::switched};
    std::string source; ///< of the constants, with the date of the fit
};

/// The links of a catalogue (scenarios/catalog/links.yaml or the user's own).
struct LinkTable {
    std::vector<LinkFacts> all; ///< innermost links first, then networks between nodes

    /// The link of that name; upper and lower case and blanks do not matter ("NVLink4"). Null if
    /// there is none.
    [[nodiscard]] const LinkFacts* find(std::string_view name) const;
};

// What the catalogue of `gpu` knows of its links. All throw UnknownFact where it has none that
// does.

/// The link between GPUs of one node. A GPU that no link names is taken for one of the generation
/// whose rate is next to its own. Throws UnknownFact if the GPU states no rate.
[[nodiscard]] LinkFacts scaleup_link(const Gpu& gpu, std::int64_t gpus_per_node);

/// The link of GPUs that share nothing but a host: the first of kind `pcie`.
[[nodiscard]] LinkFacts pcie_link(const Gpu& gpu);

/// What the network between nodes is taken for when nobody says: the first of kind `network`.
[[nodiscard]] LinkFacts node_network_link(const Gpu& gpu);

/// A level of `gpus` GPUs on such a link at `bandwidth` per GPU.
[[nodiscard]] LinkLevel
link_level(const LinkFacts& facts, std::string_view name, std::int64_t gpus, ByteRate bandwidth);

}} // namespace bursar::models
