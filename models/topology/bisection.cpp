#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#if defined(__GNUC__) && !defined(__clang__)
// g++ 12 warns wrongly that the empty optional in Boost's edge iterator is read.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>

#include "models/topology/level_rates.hpp"

namespace bursar { inline namespace models {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowGraph = boost::adjacency_list<
    boost::vecS,
    boost::vecS,
    boost::directedS,
    boost::no_property,
    boost::property<
        boost::edge_capacity_t,
        std::int64_t,
        boost::property<boost::edge_residual_capacity_t,
                        std::int64_t,
                        boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

constexpr std::uint32_t absent = std::numeric_limits<std::uint32_t>::max();

/// New numbers of the devices that traffic may use; `absent` for others.
using Members = std::vector<std::uint32_t>;

/// Two sets of GPUs, as runs of Locality::gpus.
struct Halves {
    std::size_t first{};
    std::size_t first_end{};
    std::size_t second{};
    std::size_t second_end{};

    [[nodiscard]] std::size_t smaller() const {
        return std::min(first_end - first, second_end - second);
    }
};

/// A link of both directions: each edge is the other's reverse.
void add_link(
    FlowGraph& graph, std::uint32_t from, std::uint32_t to, std::int64_t forth, std::int64_t back) {
    const auto [one, is_new] = boost::add_edge(from, to, forth, graph);
    const auto [other, is_other_new] = boost::add_edge(to, from, back, graph);
    assert(is_new && is_other_new);
    boost::put(boost::edge_reverse, graph, one, other);
    boost::put(boost::edge_reverse, graph, other, one);
}

/// Maximum flow from the GPUs of one half to those of the other, bytes per second.
std::int64_t flow_between(const Fabric& fabric,
                          const Locality& locality,
                          const Members& members,
                          Halves halves) {
    std::uint32_t num_members = 0;
    for (const std::uint32_t member : members)
        num_members += member != absent ? 1 : 0;
    const std::uint32_t source = num_members;
    const std::uint32_t sink = num_members + 1;
    FlowGraph graph{num_members + 2};
    std::vector<std::int64_t> ports(fabric.devices.size(), 0);
    for (const FabricLink& link : fabric.links) {
        if (members[link.from] == absent || members[link.to] == absent)
            continue;
        const auto rate = static_cast<std::int64_t>(link.bandwidth.count());
        add_link(graph, members[link.from], members[link.to], rate, rate);
        ports[link.from] += rate;
        ports[link.to] += rate;
    }
    for (std::size_t i = halves.first; i < halves.first_end; ++i)
        add_link(graph, source, members[locality.gpus[i]], ports[locality.gpus[i]], 0);
    for (std::size_t i = halves.second; i < halves.second_end; ++i)
        add_link(graph, members[locality.gpus[i]], sink, ports[locality.gpus[i]], 0);
    std::vector<boost::default_color_type> color(num_members + 2);
    std::vector<Traits::edge_descriptor> way(num_members + 2);
    std::vector<std::int64_t> distance(num_members + 2);
    return boost::boykov_kolmogorov_max_flow(graph,
                                             boost::get(boost::edge_capacity, graph),
                                             boost::get(boost::edge_residual_capacity, graph),
                                             boost::get(boost::edge_reverse, graph),
                                             way.data(),
                                             color.data(),
                                             distance.data(),
                                             boost::get(boost::vertex_index, graph),
                                             source,
                                             sink);
}

/// The devices somewhere inside `enclosure` that carry the medium.
Members devices_in(const Fabric& fabric, std::uint32_t enclosure, Medium medium) {
    std::vector<bool> inside(fabric.enclosures.size(), false);
    inside[enclosure] = true;
    for (std::uint32_t at = 1; at < inside.size(); ++at) // parents come first
        inside[at] = inside[at] || inside[fabric.enclosures[at].parent];
    Members members(fabric.devices.size(), absent);
    std::uint32_t next = 0;
    for (std::uint32_t device = 0; device < members.size(); ++device)
        if (inside[fabric.devices[device].enclosure] &&
            carries(medium, fabric.devices[device].kind))
            members[device] = next++;
    return members;
}

std::size_t links_among(const Fabric& fabric, const Members& members) {
    return static_cast<std::size_t>(
        std::ranges::count_if(fabric.links, [&](const FabricLink& link) {
            return members[link.from] != absent && members[link.to] != absent;
        }));
}

/// The begins of the parts of a group, and the end of the last one, counted in GPUs.
std::vector<std::size_t> part_bounds(const Locality& locality,
                                     std::size_t level,
                                     std::pair<std::size_t, std::size_t> group) {
    std::vector<std::size_t> bounds{group.first};
    if (level > 0) {
        const std::vector<std::uint32_t>& part = locality.levels[level - 1].group_of_unit;
        for (std::size_t gpu = group.first + locality.gpus_per_unit; gpu < group.second;
             gpu += locality.gpus_per_unit) {
            const std::size_t unit = gpu / locality.gpus_per_unit;
            if (part[unit] != part[unit - 1])
                bounds.push_back(gpu);
        }
    }
    bounds.push_back(group.second);
    return bounds;
}

Halves halves_of(const std::vector<std::size_t>& bounds) {
    const std::size_t begin = bounds.front();
    const std::size_t end = bounds.back();
    if (bounds.size() == 2) // one part: its GPUs are divided
        return {begin, begin + (end - begin) / 2, begin + (end - begin) / 2, end};
    const std::size_t middle = begin + (end - begin) / 2;
    const auto distance = [&](std::size_t bound) {
        return bound < middle ? middle - bound : bound - middle;
    };
    const std::size_t bound =
        *std::ranges::min_element(bounds.begin() + 1, bounds.end() - 1, {}, distance);
    return {begin, bound, bound, end};
}

/// The two largest parts, the first of equals.
Halves largest_parts(const std::vector<std::size_t>& bounds) {
    std::vector<std::size_t> parts(bounds.size() - 1);
    std::iota(parts.begin(), parts.end(), std::size_t{0});
    std::ranges::partial_sort(
        parts, parts.begin() + 2, std::ranges::greater{}, [&](std::size_t part) {
            return std::pair{bounds[part + 1] - bounds[part], parts.size() - part};
        });
    return {bounds[parts[0]], bounds[parts[0] + 1], bounds[parts[1]], bounds[parts[1] + 1]};
}

} // namespace

Bisection bisection_of(const Fabric& fabric,
                       const Locality& locality,
                       std::size_t level,
                       std::uint32_t group,
                       std::size_t flow_links) {
    const auto gpus = locality.gpus_of(level, group);
    if (gpus.second - gpus.first < 2)
        return {};
    const std::vector<std::size_t> bounds = part_bounds(locality, level, gpus);
    const Medium medium = locality.levels[level].medium;
    Members members = devices_in(fabric, locality.levels[level].enclosure[group], medium);
    Halves halves = halves_of(bounds);
    Bisection out;
    if (links_among(fabric, members) > flow_links && bounds.size() > 2) {
        out.method = BisectionMethod::sampled_pair;
        halves = largest_parts(bounds);
    }
    std::int64_t flow = flow_between(fabric, locality, members, halves);
    if (flow == 0) { // its parts meet further out
        members = devices_in(fabric, 0, medium);
        flow = flow_between(fabric, locality, members, halves);
    }
    out.per_gpu = ByteRate{static_cast<double>(flow) / static_cast<double>(halves.smaller())};
    return out;
}

}} // namespace bursar::models
