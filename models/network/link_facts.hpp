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

/// Facts about one generation of links between GPUs: the vendor's rate and, fitted to published
/// measurements, how collectives use it.
struct LinkFacts {
    std::string name;              ///< "NVLink 4"
    std::vector<std::string> gpus; ///< starts of the names of GPUs that have it
    LinkKind kind{LinkKind::scaleup};
    bool for_unknown{};  ///< used for GPUs that no link names, by its rate
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

// The links of `gpu` in its catalogue. All throw UnknownFact if it has no such link.

/// The link between GPUs of one node. For a GPU that no link names: the generation with the nearest
/// rate. Throws UnknownFact if the GPU states no rate.
[[nodiscard]] LinkFacts scaleup_link(const Gpu& gpu, std::int64_t gpus_per_node);

/// The link of GPUs that share nothing but a host: the first of kind `pcie`.
[[nodiscard]] LinkFacts pcie_link(const Gpu& gpu);

/// The default network between nodes: the first of kind `network`.
[[nodiscard]] LinkFacts node_network_link(const Gpu& gpu);

/// A level of `gpus` GPUs on such a link at `bandwidth` per GPU.
[[nodiscard]] LinkLevel
link_level(const LinkFacts& facts, std::string_view name, std::int64_t gpus, ByteRate bandwidth);

/// Facts about the usual servers of a generation of GPUs.
struct ServerFacts {
    std::string name;              ///< "PCIe 4, a NIC per GPU"
    std::vector<std::string> gpus; ///< starts of the names of GPUs in such servers
    bool for_unknown{};            ///< used for GPUs that no server names
    double host_gb_s{};   ///< GPU to host memory, one direction, as copies reach it; GB/s, > 0
    double nic_gb_s{};    ///< of one GPU's NIC, one direction; GB/s, 0: GPUs share the node's
    double shared_gb_s{}; ///< of all NICs of a node; GB/s, 0: each GPU has its own
    std::int64_t gpus_per_node{8};    ///< >= 1
    std::int64_t software_year{2023}; ///< of the stacks that train on it, where a job names none
    std::string source;               ///< of the facts
};

/// The servers of a catalogue (scenarios/catalog/servers.yaml or the user's own).
struct ServerTable {
    std::vector<ServerFacts> all;
};

/// The first server of the GPU's catalogue that names it, else the first for unknown GPUs. Throws
/// UnknownFact where there is none.
[[nodiscard]] const ServerFacts& usual_server(const Gpu& gpu);

}} // namespace bursar::models
