#include "models/training/job/cluster.hpp"

#include "models/errors/model_error.hpp"
#include "models/network/link_facts.hpp"

namespace bursar { inline namespace models {
namespace {

/// More GPUs than any fabric has: the outermost level holds every group.
constexpr std::int64_t unbounded = std::int64_t{1} << 40;

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
    const ServerFacts& server = usual_server(gpu);
    const double node_gb_s = server.nic_gb_s > 0
                                 ? server.nic_gb_s * static_cast<double>(gpus_per_node)
                                 : server.shared_gb_s;
    return ByteRate{node_gb_s * bytes_per_gb};
}

std::int64_t usual_gpus_per_node(const Gpu& gpu) {
    return usual_server(gpu).gpus_per_node;
}

std::int64_t joined_gpus(std::int64_t domain, std::int64_t gpus, std::int64_t gpus_per_node) {
    std::int64_t joined = gpus_per_node;
    for (std::int64_t size = gpus_per_node; size <= domain; size += gpus_per_node)
        if (gpus % size == 0)
            joined = size;
    return joined;
}

Cluster
job_cluster(const Gpu& gpu, std::int64_t gpus, std::int64_t gpus_per_node, ByteRate node_network) {
    if (gpus_per_node < 1)
        return make_cluster(gpu, gpus_per_node, node_network); // throws
    const std::int64_t joined =
        joined_gpus(gpu.scaleup_domain.value_or(gpus_per_node), gpus, gpus_per_node);
    const double nodes = static_cast<double>(joined) / static_cast<double>(gpus_per_node);
    Cluster cluster = make_cluster(gpu, joined, node_network * nodes);
    cluster.gpus_per_host = gpus_per_node;
    return cluster;
}

ByteRate host_link(const Gpu& gpu) {
    return ByteRate{usual_server(gpu).host_gb_s * bytes_per_gb};
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
                    .gpus_per_host = gpus_per_node,
                    .operators = {}};
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

}} // namespace bursar::models
