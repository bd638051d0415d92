#include "models/training/cluster.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "models/errors/model_error.hpp"

namespace bursar::inline models {
namespace {

/// More GPUs than any fabric has: the outermost level holds every group.
constexpr std::int64_t unbounded = std::int64_t{1} << 40;

/// What a GPU model's servers usually are: PCIe generation and NICs.
struct ServerGeneration {
    std::string_view gpu; ///< start of the GPU's name
    double host_gb_s{};   ///< copies to and from the host, one direction
    double nic_gb_s{};    ///< per GPU; 0: one NIC for the whole node
};

constexpr double shared_nic_gb_s = 12.5; // 100 Gbit/s

/// The first row whose `gpu` starts the name; what is not here is of the PCIe 5 generation.
constexpr std::array generations{
    ServerGeneration{"K80", 12, 0},
    ServerGeneration{"P100", 12, 0},
    ServerGeneration{"V100", 12, 0},
    ServerGeneration{"T4", 12, 0},
    ServerGeneration{"RTX 8000", 12, 0},
    ServerGeneration{"Quadro", 12, 0},
    ServerGeneration{"A100", 25, 25},
    ServerGeneration{"A10", 25, 0},
    ServerGeneration{"RTX", 25, 0},
    ServerGeneration{"L4", 25, 0},
    ServerGeneration{"MI250", 25, 25},
};

ServerGeneration generation_of(const Gpu& gpu) {
    const auto* row = std::find_if(
        generations.begin(), generations.end(), [&](const ServerGeneration& generation) {
            return gpu.name.starts_with(generation.gpu);
        });
    return row == generations.end() ? ServerGeneration{"", 50, 50} : *row;
}

void check_tier(const NetworkTier& tier, std::int64_t below) {
    if (tier.gpus <= below || tier.gpus % below != 0)
        throw ModelError{"tier " + tier.name,
                         "holds " + std::to_string(tier.gpus) + " GPUs",
                         "give a multiple of the " + std::to_string(below) +
                             " GPUs of the tier below it"};
    if (!(tier.oversubscription >= 1))
        throw ModelError{"tier " + tier.name,
                         "has an oversubscription of " + std::to_string(tier.oversubscription),
                         "give 1 (none) or more"};
}

} // namespace

ByteRate usual_node_network(const Gpu& gpu, std::int64_t gpus_per_node) {
    const double nic_gb_s = generation_of(gpu).nic_gb_s;
    const double node_gb_s =
        nic_gb_s > 0 ? nic_gb_s * static_cast<double>(gpus_per_node) : shared_nic_gb_s;
    return ByteRate{node_gb_s * bytes_per_gb};
}

ByteRate host_link(const Gpu& gpu) {
    return ByteRate{generation_of(gpu).host_gb_s * bytes_per_gb};
}

Cluster make_cluster(const Gpu& gpu,
                     std::int64_t gpus_per_node,
                     ByteRate node_network,
                     std::span<const NetworkTier> tiers,
                     const LinkFacts& network) {
    if (gpus_per_node < 1)
        throw ModelError{"gpus_per_node", "is " + std::to_string(gpus_per_node), "give 1 or more"};
    if (!(node_network.count() > 0))
        throw ModelError{"node_network", "is not above zero", "give the rate of a node's NICs"};
    Cluster cluster{.gpu = gpu,
                    .gpus_per_node = gpus_per_node,
                    .tree = {},
                    .host_link = host_link(gpu),
                    .gpus_per_host = gpus_per_node};
    std::vector<LinkLevel>& levels = cluster.tree.levels;
    double share = node_network.count() / static_cast<double>(gpus_per_node);
    if (gpus_per_node > 1)
        levels.push_back(link_level(
            scaleup_link(gpu, gpus_per_node), "node", gpus_per_node, scaleup_bandwidth(gpu)));
    else
        levels.push_back(link_level(network, "node", 1, ByteRate{share}));
    for (const NetworkTier& tier : tiers) {
        check_tier(tier, levels.back().gpus);
        share /= tier.oversubscription;
        levels.push_back(link_level(network, tier.name, tier.gpus, ByteRate{share}));
    }
    if (tiers.empty())
        levels.push_back(link_level(network, "fabric", unbounded, ByteRate{share}));
    return cluster;
}

Cluster make_cluster(const Gpu& gpu,
                     std::int64_t gpus_per_node,
                     ByteRate node_network,
                     std::span<const NetworkTier> tiers) {
    return make_cluster(gpu, gpus_per_node, node_network, tiers, node_network_link(gpu));
}

} // namespace bursar::inline models
