#include "models/training/job/fabric_cluster.hpp"

#include <algorithm>
#include <cassert>

namespace bursar { inline namespace models {
namespace {

/// The level whose groups stand for nodes in the models: the widest that NVLink joins, else the
/// widest inside hosts, else the narrowest.
std::size_t innermost(const Locality& locality) {
    for (const Medium medium : {Medium::nvlink, Medium::pcie})
        for (std::size_t level = locality.levels.size(); level-- > 0;)
            if (locality.levels[level].medium == medium && locality.levels[level].max_gpus > 1)
                return level;
    return 0;
}

LinkLevel
fabric_level(const Gpu& gpu, const Locality& locality, const LevelRates& rates, std::size_t level) {
    const LocalityLevel& own = locality.levels[level];
    LinkFacts facts = node_network_link(gpu);
    if (own.medium == Medium::nvlink && own.max_gpus > 1)
        facts = scaleup_link(gpu, own.max_gpus);
    else if (own.medium == Medium::pcie)
        facts = pcie_link(gpu);
    return link_level(facts, own.names.front(), own.max_gpus, rates.bisection);
}

} // namespace

Cluster fabric_cluster(const Gpu& gpu,
                       const Locality& locality,
                       std::span<const LevelRates> rates,
                       std::int64_t gang,
                       std::size_t level) {
    assert(gang >= 1 && level < locality.levels.size());
    const std::size_t first = innermost(locality);
    Cluster cluster;
    cluster.gpu = gpu;
    cluster.host_link = host_link(gpu);
    cluster.gpus_per_host =
        static_cast<std::int64_t>(locality.gpus_per_unit) * locality.units_per_node;
    std::vector<LinkLevel>& levels = cluster.tree.levels;
    levels.push_back(fabric_level(gpu, locality, rates[first], first));
    if (levels.front().gpus > cluster.gpus_per_host && levels.front().gpus < gang)
        levels.front().gpus = joined_gpus(levels.front().gpus, gang, cluster.gpus_per_host);
    const std::size_t at = std::max(level, first);
    if (at > first && levels.front().gpus >= gang)
        levels.front().gpus = (gang + 1) / 2;
    for (std::size_t l = first + 1; l <= at; ++l)
        if (l == at || locality.levels[l].max_gpus < gang)
            levels.push_back(fabric_level(gpu, locality, rates[l], l));
    if (levels.front().bandwidth.count() == 0) // nodes of one GPU: only their way out counts
        levels.front().bandwidth = levels.back().bandwidth;
    cluster.gpus_per_node = levels.front().gpus;
    return cluster;
}

}} // namespace bursar::models
