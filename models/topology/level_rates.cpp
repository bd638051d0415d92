#include "models/topology/level_rates.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths_no_color_map.hpp>

#include "models/topology/joined_parts.hpp"

namespace bursar { inline namespace models {
namespace {

using LatencyGraph = boost::adjacency_list<boost::vecS,
                                           boost::vecS,
                                           boost::undirectedS,
                                           boost::no_property,
                                           boost::property<boost::edge_weight_t, double>>;

/// The least widest path between two GPUs of one group, level by level.
std::vector<ByteRate> widest_paths(const Fabric& fabric, const Locality& locality) {
    std::vector<std::size_t> by_width(fabric.links.size());
    std::iota(by_width.begin(), by_width.end(), std::size_t{0});
    std::ranges::sort(by_width, std::ranges::greater{}, [&](std::size_t link) {
        return fabric.links[link].bandwidth;
    });
    JoinedParts parts{fabric};
    std::vector<ByteRate> widest(locality.levels.size());
    std::size_t level = 0; // narrower levels are joined no later
    while (level < widest.size() && locality.levels[level].max_gpus < 2)
        ++level;
    for (std::size_t i = 0; i < by_width.size() && level < widest.size();) {
        const ByteRate width = fabric.links[by_width[i]].bandwidth;
        for (; i < by_width.size() && fabric.links[by_width[i]].bandwidth == width; ++i)
            parts.join(fabric.links[by_width[i]]);
        for (; level < widest.size() && parts.joins_groups(locality, locality.levels[level]);
             ++level)
            widest[level] = width;
    }
    return widest;
}

/// Time from one GPU to all devices.
std::vector<double> latencies_from(const LatencyGraph& graph, std::uint32_t gpu) {
    std::vector<double> latency(boost::num_vertices(graph));
    boost::dijkstra_shortest_paths_no_color_map(
        graph,
        gpu,
        boost::distance_map(boost::make_iterator_property_map(
            latency.begin(), boost::get(boost::vertex_index, graph))));
    return latency;
}

/// The links of a medium; absent where the latency of one is unknown.
std::optional<LatencyGraph> latency_graph(const Fabric& fabric, Medium medium) {
    LatencyGraph graph{fabric.devices.size()};
    for (const FabricLink& link : fabric.links) {
        if (!carries(medium, fabric.devices[link.from].kind) ||
            !carries(medium, fabric.devices[link.to].kind))
            continue;
        if (!link.latency)
            return std::nullopt;
        boost::add_edge(link.from, link.to, link.latency->count(), graph);
    }
    return graph;
}

/// Latency from the first of some GPUs to the farthest.
Seconds farthest(const LatencyGraph& graph, std::span<const std::uint32_t> gpus) {
    const std::vector<double> latency = latencies_from(graph, gpus.front());
    Seconds most{};
    for (const std::uint32_t gpu : gpus)
        most = std::max(most, Seconds{latency[gpu]});
    return most;
}

/// The features by which groups count as alike.
struct GroupLook {
    std::size_t gpus{};
    std::size_t devices{};
    double bandwidth{}; ///< of the links inside

    auto operator<=>(const GroupLook&) const = default;
};

/// One group of each kind.
std::vector<std::uint32_t> distinct_groups(const Fabric& fabric, const LocalityLevel& level) {
    constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    std::vector<std::uint32_t> group_in(fabric.enclosures.size(), none);
    for (std::uint32_t group = 0; group < level.num_groups(); ++group)
        group_in[level.enclosure[group]] = group;
    for (std::uint32_t at = 1; at < group_in.size(); ++at)
        if (group_in[at] == none)
            group_in[at] = group_in[fabric.enclosures[at].parent];
    std::vector<GroupLook> looks(level.num_groups());
    const auto group_of = [&](std::uint32_t device) {
        return group_in[fabric.devices[device].enclosure];
    };
    for (std::uint32_t device = 0; device < fabric.devices.size(); ++device)
        if (group_of(device) != none) {
            ++looks[group_of(device)].devices;
            looks[group_of(device)].gpus += fabric.devices[device].kind == DeviceKind::gpu ? 1 : 0;
        }
    for (const FabricLink& link : fabric.links)
        if (group_of(link.from) != none && group_of(link.from) == group_of(link.to))
            looks[group_of(link.from)].bandwidth += link.bandwidth.count();
    std::map<GroupLook, std::uint32_t> first;
    for (std::uint32_t group = 0; group < looks.size(); ++group)
        first.try_emplace(looks[group], group);
    std::vector<std::uint32_t> groups;
    for (const auto& [look, group] : first)
        groups.push_back(group);
    return groups;
}

/// Bandwidth of the adapters towards the network, over all GPUs; 0 without adapters.
ByteRate injection(const Fabric& fabric, const Locality& locality) {
    double sum = 0;
    for (const FabricLink& link : fabric.links) {
        const DeviceKind from = fabric.devices[link.from].kind;
        const DeviceKind to = fabric.devices[link.to].kind;
        if ((from == DeviceKind::nic) != (to == DeviceKind::nic) &&
            (from == DeviceKind::network_switch || to == DeviceKind::network_switch))
            sum += link.bandwidth.count();
    }
    return ByteRate{sum / static_cast<double>(locality.gpus.size())};
}

} // namespace

std::vector<LevelRates> level_rates(const Fabric& fabric, const Locality& locality) {
    const std::vector<ByteRate> widest = widest_paths(fabric, locality);
    const ByteRate adapters = injection(fabric, locality);
    std::map<Medium, std::optional<LatencyGraph>> graphs;
    for (const LocalityLevel& level : locality.levels)
        if (level.max_gpus > 1 && !graphs.contains(level.medium))
            graphs.emplace(level.medium, latency_graph(fabric, level.medium));
    std::vector<LevelRates> out(locality.levels.size());
    for (std::size_t level = 0; level < out.size(); ++level) {
        LevelRates& rates = out[level];
        rates.pair = widest[level];
        for (const std::uint32_t group : distinct_groups(fabric, locality.levels[level])) {
            const auto [begin, end] = locality.gpus_of(level, group);
            if (end - begin < 2)
                continue;
            const Bisection cut = bisection_of(fabric, locality, level, group);
            if (rates.bisection.count() == 0 || cut.per_gpu < rates.bisection) {
                rates.bisection = cut.per_gpu;
                rates.method = cut.method;
            }
            if (const auto& graph = graphs.at(locality.levels[level].medium))
                rates.latency = std::max(
                    rates.latency.value_or(Seconds{}),
                    farthest(*graph, std::span{locality.gpus}.subspan(begin, end - begin)));
        }
        if (locality.levels[level].medium == Medium::network && adapters.count() > 0)
            rates.oversubscription = std::max(1.0, adapters / rates.bisection);
    }
    return out;
}

}} // namespace bursar::models
