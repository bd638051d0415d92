#include "reports/html/node_time.hpp"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include "reports/html/over_time.hpp"
#include "reports/result/result_attempt.hpp"

namespace bursar { inline namespace reports {
namespace {

/// Number of nodes shown of each pool; 0 of pools that are not shown or have no GPUs.
std::vector<std::uint32_t> shown_nodes(const Result& result, std::size_t most_pools) {
    std::vector<std::uint32_t> last_held(result.pools.size()); // number of the next one
    for_each_attempt(result, [&](const ResultAttempt& attempt) {
        const PlaceColumns& places = result.places;
        for (std::size_t piece = places.begin_of(attempt.index); piece < places.end[attempt.index];
             ++piece)
            if (places.gpus[piece] > 0)
                last_held[attempt.pool] = std::max(last_held[attempt.pool], places.node[piece] + 1);
    });
    std::vector<std::uint32_t> shown(result.pools.size());
    for (const std::size_t p : largest_pools(result, most_pools)) {
        const ResultPool& pool = result.pools[p];
        if (pool.num_gpus() > 0)
            shown[p] = pool.has_range() ? last_held[p] : pool.num_nodes;
    }
    return shown;
}

std::size_t num_groups(const std::vector<std::uint32_t>& nodes, std::uint32_t size) {
    std::size_t count = 0;
    for (const std::uint32_t of_pool : nodes)
        count += (std::size_t{of_pool} + size - 1) / size;
    return count;
}

/// The smallest size with at most `most` groups. most: >= the number of pools shown.
std::uint32_t size_of_groups(const std::vector<std::uint32_t>& nodes, std::size_t most) {
    const auto sizes = std::views::iota(1U, std::max(1U, std::ranges::max(nodes)));
    const auto are_too_many = [&](std::uint32_t size) { return num_groups(nodes, size) > most; };
    const auto fits = std::ranges::partition_point(sizes, are_too_many);
    return 1 + static_cast<std::uint32_t>(fits - sizes.begin());
}

/// Adds the groups; returns the first group of each pool.
std::vector<std::size_t> add_groups(const std::vector<std::uint32_t>& nodes, NodeTime& out) {
    std::vector<std::size_t> begin;
    for (std::size_t pool = 0; pool < nodes.size(); ++pool) {
        begin.push_back(out.groups.size());
        for (std::uint32_t first = 0; first < nodes[pool]; first += out.nodes_a_group)
            out.groups.push_back({pool, first, std::min(first + out.nodes_a_group, nodes[pool])});
    }
    return begin;
}

/// Adds `slots` over [begin, end) to the bins of a group that begin at `held`.
void spread(const TimeBins& time,
            std::int64_t slots,
            std::int64_t begin_ms,
            std::int64_t end_ms,
            std::int64_t* held) {
    const std::int64_t width = time.width.count();
    for (std::int64_t bin = begin_ms / width; begin_ms < end_ms; ++bin) {
        const std::int64_t until = std::min(end_ms, (bin + 1) * width);
        held[bin] += slots * (until - begin_ms);
        begin_ms = until;
    }
}

std::int64_t slots_of(const Result& result, const NodeGroup& group) {
    return std::int64_t{group.size()} * result.pools[group.pool].gpus_per_node * slots_per_gpu;
}

} // namespace

double NodeTime::share(const Result& result,
                       const TimeBins& time,
                       std::size_t group,
                       std::size_t bin) const {
    const Duration begin = time.bins[bin].begin;
    const Duration span = std::min(begin + time.width, result.end) - begin;
    return static_cast<double>(held[group * time.bins.size() + bin]) /
           (static_cast<double>(slots_of(result, groups[group])) *
            static_cast<double>(span.count()));
}

double NodeTime::share(const Result& result, const TimeBins& time, std::size_t group) const {
    int128 all = 0;
    for (std::size_t bin = 0; bin < time.bins.size(); ++bin)
        all += held[group * time.bins.size() + bin];
    return static_cast<double>(all) / (static_cast<double>(slots_of(result, groups[group])) *
                                       static_cast<double>(result.end.count()));
}

NodeTime node_time(const Result& result, const TimeBins& time, std::size_t most_groups) {
    NodeTime out;
    const PlaceColumns& places = result.places;
    if (places.empty() || time.bins.empty())
        return out;
    const std::vector<std::uint32_t> nodes = shown_nodes(result, (most_groups + 1) / 2);
    out.nodes_a_group = size_of_groups(nodes, most_groups);
    const std::vector<std::size_t> begin = add_groups(nodes, out);
    out.held.resize(out.groups.size() * time.bins.size());
    for_each_attempt(result, [&](const ResultAttempt& attempt) {
        if (nodes[attempt.pool] == 0)
            return;
        const std::int64_t of_gpu = attempt.gpus == 0 ? 0 : attempt.slots / attempt.gpus;
        for (std::size_t piece = places.begin_of(attempt.index); piece < places.end[attempt.index];
             ++piece) {
            if (places.gpus[piece] == 0)
                continue;
            const std::size_t group = begin[attempt.pool] + places.node[piece] / out.nodes_a_group;
            spread(time,
                   places.gpus[piece] * of_gpu,
                   std::max(attempt.start, Duration{}).count(),
                   std::min(attempt.end, result.end).count(),
                   &out.held[group * time.bins.size()]);
        }
    });
    return out;
}

std::string node_numbers(const NodeGroup& group) {
    return group.size() == 1 ? fmt::format("{}", group.first)
                             : fmt::format("{}-{}", group.first, group.end - 1);
}

std::string node_group_title(const Result& result, const NodeGroup& group) {
    return fmt::format("{} {} of {}",
                       group.size() == 1 ? "node" : "nodes",
                       node_numbers(group),
                       result.pools[group.pool].name);
}

}} // namespace bursar::reports
