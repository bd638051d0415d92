#include "models/topology/regular_fabric.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "models/errors/model_error.hpp"
#include "models/errors/require.hpp"

namespace bursar { inline namespace models {

namespace {

std::string numbered(const char* word, std::int64_t number) {
    return word + ("[" + std::to_string(number) + "]");
}

/// The GPUs of a node with the devices that join them directly.
std::vector<std::uint32_t> add_gpus(FabricBuilder& fabric,
                                    std::uint32_t enclosure,
                                    const std::string& path,
                                    const RegularFabric& spec,
                                    std::optional<std::uint32_t> domain) {
    const bool several = spec.nvlink > 0 && spec.nvlink < spec.gpus_per_node;
    const bool own = spec.nvlink > 0 && !domain;
    std::vector<std::uint32_t> gpus;
    std::uint32_t around = enclosure;
    std::optional<std::uint32_t> nvswitch = domain;
    for (std::int64_t g = 0; g < spec.gpus_per_node; ++g) {
        if (own && g % spec.nvlink == 0) {
            if (several)
                around = fabric.enclosure(path + "/" + numbered("nvlink", g / spec.nvlink));
            nvswitch = fabric.device(around, "nvswitch", DeviceKind::nvswitch);
        }
        gpus.push_back(fabric.device(around, numbered("gpu", g), DeviceKind::gpu));
        if (nvswitch)
            fabric.link(gpus.back(), *nvswitch, spec.nvlink_link, nvlink_latency);
    }
    return gpus;
}

} // namespace

std::vector<std::uint32_t> add_node(FabricBuilder& fabric,
                                    std::uint32_t enclosure,
                                    const std::string& path,
                                    const RegularFabric& spec,
                                    std::optional<std::uint32_t> domain) {
    const std::vector<std::uint32_t> gpus = add_gpus(fabric, enclosure, path, spec, domain);
    std::vector<std::uint32_t> ports;
    if (!spec.torus.empty()) {
        // The link from its GPUs never limits a router's links to its neighbours.
        const ByteRate all = spec.node_link * (2.0 * static_cast<double>(spec.torus.size()));
        ports.push_back(fabric.device(enclosure, "router", DeviceKind::network_switch));
        for (const std::uint32_t gpu : gpus)
            fabric.link(gpu, ports.front(), all, adapter_latency);
        return ports;
    }
    for (std::int64_t rail = 0; rail < spec.rails; ++rail)
        ports.push_back(fabric.device(
            enclosure, spec.rails == 1 ? "nic" : numbered("nic", rail), DeviceKind::nic));
    if (spec.nvlink >= spec.gpus_per_node) { // each GPU beside its adapter
        for (std::size_t g = 0; g < gpus.size(); ++g)
            fabric.link(gpus[g], ports[g % ports.size()], spec.pcie_link, pcie_latency);
        return ports;
    }
    const std::uint32_t host = fabric.device(enclosure, "pcie", DeviceKind::pcie);
    for (const std::uint32_t gpu : gpus)
        fabric.link(gpu, host, spec.pcie_link, pcie_latency);
    const ByteRate adapter = spec.node_link * (1.0 / static_cast<double>(spec.rails));
    for (const std::uint32_t port : ports)
        fabric.link(host, port, adapter, pcie_latency);
    return ports;
}

namespace {

const std::string domain_word{"nvlink"};

/// Nodes of one NVLink domain.
std::int64_t domain_nodes(const RegularFabric& spec) {
    return std::max<std::int64_t>(1, spec.nvlink / spec.gpus_per_node);
}

void check_tiers(const RegularFabric& spec) {
    std::int64_t below = 1;
    for (const FabricTier& tier : spec.tiers) {
        if (tier.nodes <= below || tier.nodes % below != 0)
            throw ModelError{tier.name,
                             "holds " + std::to_string(tier.nodes) + " nodes",
                             "give a multiple of the " + std::to_string(below) +
                                 " of what stands below it"};
        if (const std::int64_t nodes = domain_nodes(spec);
            tier.nodes % nodes != 0 && nodes % tier.nodes != 0)
            throw ModelError{tier.name,
                             "of " + std::to_string(tier.nodes) +
                                 " nodes divides an NVLink domain of " + std::to_string(nodes),
                             "give a multiple or a divisor"};
        require_positive(tier.name.c_str(), tier.oversubscription);
        below = tier.nodes;
    }
}

void check(const RegularFabric& spec) {
    const auto require =
        [](bool holds, const char* member, std::int64_t value, const char* remedy) {
            if (!holds)
                throw ModelError{member, "is " + std::to_string(value), remedy};
        };
    require(spec.nodes >= 1, "nodes", spec.nodes, "give 1 or more");
    require(spec.gpus_per_node >= 1, "gpus_per_node", spec.gpus_per_node, "give 1 or more");
    require(spec.nvlink == 0 || (spec.nvlink > 0 && (spec.nvlink % spec.gpus_per_node == 0 ||
                                                     spec.gpus_per_node % spec.nvlink == 0)),
            "nvlink",
            spec.nvlink,
            "give a divisor or a multiple of the GPUs of a node");
    require(spec.rails >= 1 && spec.rails <= spec.gpus_per_node,
            "rails",
            spec.rails,
            "give 1 or more, and no more than GPUs in a node");
    if (spec.nvlink > 0)
        require_positive("nvlink_link", spec.nvlink_link.count());
    require_positive("pcie_link", spec.pcie_link.count());
    require_positive("node_link", spec.node_link.count());
    check_tiers(spec);
    check_torus(spec);
}

/// A run of nodes in one enclosure.
struct Grouping {
    std::string word;
    std::int64_t nodes{};
};

/// The enclosures around nodes, from the inside out: NVLink domains of several nodes, and tiers.
std::vector<Grouping> groupings(const RegularFabric& spec) {
    std::vector<Grouping> groups;
    if (domain_nodes(spec) > 1)
        groups.push_back({domain_word, domain_nodes(spec)});
    for (const FabricTier& tier : spec.tiers)
        groups.push_back({tier.name, tier.nodes});
    std::ranges::stable_sort(groups, {}, &Grouping::nodes);
    return groups;
}

std::string numbered(const std::string& word, std::int64_t number) {
    return word + "[" + std::to_string(number) + "]";
}

/// Builds the graph of a fabric of switches, node by node.
class SwitchedFabric {
  public:
    explicit SwitchedFabric(const RegularFabric& spec)
        : spec_{spec}, groups_{groupings(spec)}, fabric_{spec.name} {}

    Fabric build() {
        for (std::int64_t node = 0; node < spec_.nodes; ++node)
            add(node);
        return fabric_.take();
    }

  private:
    /// The path of the enclosure called `word` around a node; "" for the whole fabric.
    [[nodiscard]] std::string path_of(std::int64_t node, const std::string& word) const {
        std::string path;
        for (auto group = groups_.rbegin(); group != groups_.rend(); ++group) {
            path += (path.empty() ? "" : "/") + numbered(group->word, node / group->nodes);
            if (group->word == word)
                break;
        }
        return path;
    }

    void add(std::int64_t node) {
        const std::string around = path_of(node, groups_.empty() ? "" : groups_.front().word);
        const std::string path = (around.empty() ? "" : around + "/") + numbered("node", node);
        if (domain_nodes(spec_) > 1 && node % domain_nodes(spec_) == 0)
            domain_ = fabric_.device(
                fabric_.enclosure(path_of(node, domain_word)), "nvswitch", DeviceKind::nvswitch);
        const std::vector<std::uint32_t> ports =
            add_node(fabric_, fabric_.enclosure(path), path, spec_, domain_);
        if (spec_.nodes == 1)
            return;
        const ByteRate adapter = spec_.node_link * (1.0 / static_cast<double>(spec_.rails));
        if (first_switches_.empty() || starts_tier(node, 0))
            start_tiers(node);
        for (std::size_t rail = 0; rail < ports.size(); ++rail)
            fabric_.link(ports[rail], first_switches_[rail], adapter, adapter_latency);
    }

    [[nodiscard]] bool starts_tier(std::int64_t node, std::size_t tier) const {
        return tier < spec_.tiers.size() && node % spec_.tiers[tier].nodes == 0;
    }

    /// The switches of every tier that begins with `node`, each joined to the one above it.
    void start_tiers(std::int64_t node) {
        if (switches_.empty()) {
            switches_.resize(spec_.tiers.size() + 1);
            switches_.back() =
                rail_switches("", spec_.tiers.empty() ? "switch" : "spine", spec_.tiers.empty());
        }
        for (std::size_t tier = spec_.tiers.size(); tier-- > 0;) {
            if (!starts_tier(node, tier))
                continue;
            switches_[tier] = rail_switches(path_of(node, spec_.tiers[tier].name),
                                            tier == 0 ? "leaf" : "aggregation",
                                            tier == 0);
            const double share = 1.0 / static_cast<double>(switches_[tier].size());
            for (const std::uint32_t one : switches_[tier])
                fabric_.link(
                    one, switches_[tier + 1].front(), uplink(tier) * share, switch_latency);
        }
        first_switches_ = switches_.front();
    }

    /// One switch, or one per rail, in the enclosure of that path.
    std::vector<std::uint32_t>
    rail_switches(const std::string& path, const std::string& word, bool per_rail) {
        std::vector<std::uint32_t> made;
        const std::uint32_t enclosure = fabric_.enclosure(path);
        const std::int64_t count = per_rail ? spec_.rails : 1;
        for (std::int64_t rail = 0; rail < count; ++rail)
            made.push_back(fabric_.device(
                enclosure, count == 1 ? word : numbered(word, rail), DeviceKind::network_switch));
        return made;
    }

    [[nodiscard]] ByteRate uplink(std::size_t tier) const {
        const FabricTier& own = spec_.tiers[tier];
        if (own.uplink)
            return *own.uplink;
        const ByteRate entering =
            tier == 0
                ? spec_.node_link * static_cast<double>(own.nodes)
                : uplink(tier - 1) * static_cast<double>(own.nodes / spec_.tiers[tier - 1].nodes);
        return entering * (1.0 / own.oversubscription);
    }

    const RegularFabric& spec_;
    std::vector<Grouping> groups_;
    FabricBuilder fabric_;
    std::optional<std::uint32_t> domain_;
    std::vector<std::vector<std::uint32_t>> switches_; ///< by tier, the last above all
    std::vector<std::uint32_t> first_switches_;        ///< those of the node at hand, by rail
};

} // namespace

Fabric make_fabric(const RegularFabric& spec) {
    check(spec);
    return spec.torus.empty() ? SwitchedFabric{spec}.build() : make_torus(spec);
}

}} // namespace bursar::models
