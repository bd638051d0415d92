#include "models/topology/locality.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "models/errors/model_error.hpp"
#include "models/topology/joined_parts.hpp"

namespace bursar { inline namespace models {

namespace {

using Chain = std::vector<std::uint32_t>; ///< enclosures around a GPU, innermost first

[[noreturn]] void fail(const std::string& problem, const std::string& remedy = {}) {
    throw ModelError{"devices", problem, remedy};
}

std::string words_of(const Fabric& fabric, const Chain& chain) {
    std::string words;
    for (const std::uint32_t enclosure : chain)
        words.insert(0, std::string{word_of(fabric.enclosures[enclosure].name)} + "/");
    return words;
}

/// The enclosures around a device without the fabric itself.
Chain chain_of(const Fabric& fabric, std::uint32_t device) {
    Chain chain;
    for (std::uint32_t at = fabric.devices[device].enclosure; at != 0;
         at = fabric.enclosures[at].parent)
        chain.push_back(at);
    return chain;
}

/// An order of GPUs in which those of one enclosure are contiguous at every depth, otherwise in the
/// order of their names.
std::vector<std::uint32_t> gpus_in_order(const Fabric& fabric) {
    // Enclosures in depth-first order: each is entered once, children by first appearance.
    const std::size_t num = fabric.enclosures.size();
    std::vector<std::vector<std::uint32_t>> inside(num);
    for (std::uint32_t at = 1; at < num; ++at)
        inside[fabric.enclosures[at].parent].push_back(at);
    std::vector<std::uint32_t> rank(num);
    std::vector<std::uint32_t> open{0};
    for (std::uint32_t next = 0; !open.empty();) {
        const std::uint32_t at = open.back();
        open.pop_back();
        rank[at] = next++;
        open.insert(open.end(), inside[at].rbegin(), inside[at].rend());
    }
    std::vector<std::uint32_t> gpus;
    for (std::uint32_t device = 0; device < fabric.devices.size(); ++device)
        if (fabric.devices[device].kind == DeviceKind::gpu)
            gpus.push_back(device);
    std::ranges::stable_sort(
        gpus, {}, [&](std::uint32_t device) { return rank[fabric.devices[device].enclosure]; });
    return gpus;
}

/// Reports a device that cannot reach the first one.
void check_connected(const Fabric& fabric) {
    JoinedParts parts{fabric};
    for (const FabricLink& link : fabric.links)
        parts.join(link);
    for (std::uint32_t device = 1; device < fabric.devices.size(); ++device)
        if (!parts.are_joined(0, device))
            throw ModelError{"links",
                             "the fabric is not connected: no path leads from \"" + fabric.path(0) +
                                 "\" to \"" + fabric.path(device) + "\"",
                             "every device needs a link that leads to the others"};
}

/// The kinds of enclosures around every GPU, innermost first.
std::vector<std::string> common_words(const Fabric& fabric,
                                      const std::vector<std::uint32_t>& gpus,
                                      const std::vector<Chain>& chains) {
    const std::string first = words_of(fabric, chains.front());
    std::size_t enclosure_before = fabric.enclosures.size();
    for (std::size_t i = 0; i < gpus.size(); ++i) {
        const std::uint32_t enclosure = fabric.devices[gpus[i]].enclosure;
        if (enclosure == enclosure_before)
            continue;
        enclosure_before = enclosure;
        if (const std::string words = words_of(fabric, chains[i]); words != first)
            fail("GPU \"" + fabric.path(gpus.front()) + "\" is in " + first + " and \"" +
                     fabric.path(gpus[i]) + "\" in " + (words.empty() ? "nothing" : words),
                 "every GPU stands in enclosures of the same words");
    }
    std::vector<std::string> words;
    for (const std::uint32_t enclosure : chains.front())
        words.emplace_back(word_of(fabric.enclosures[enclosure].name));
    for (std::size_t i = 0; i < words.size(); ++i)
        if (words[i] == fabric_word || std::ranges::count(words, words[i]) > 1)
            fail("GPU \"" + fabric.path(gpus.front()) + "\" is in two enclosures called " +
                     words[i],
                 "each word is one level; \"fabric\" is the whole");
    if (std::ranges::find(words, node_word) == words.end())
        fail("no enclosure of the GPUs is named \"node\"",
             "name them such as node[3]/gpu[0]: a node is what jobs are placed on");
    return words;
}

/// Runs of GPUs in one enclosure of depth `depth` (from the inside).
std::vector<std::size_t> run_ends(const std::vector<Chain>& chains, std::size_t depth) {
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i <= chains.size(); ++i)
        if (i == chains.size() || chains[i][depth] != chains[i - 1][depth])
            ends.push_back(i);
    return ends;
}

/// All runs are of one length: that of a unit, or a node.
std::uint32_t equal_length(const std::vector<std::size_t>& ends, const std::string& word) {
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        if (end - begin != ends.front())
            fail("one " + word + " holds " + std::to_string(ends.front()) + " GPUs and another " +
                     std::to_string(end - begin),
                 "the nodes of a pool are alike: make it two pools");
        begin = end;
    }
    return static_cast<std::uint32_t>(ends.front());
}

/// ends: of the level's groups, counted in GPUs.
LocalityLevel level_of(const std::vector<std::size_t>& ends, std::uint32_t gpus_per_unit) {
    LocalityLevel level;
    std::size_t begin = 0;
    for (std::uint32_t group = 0; group < ends.size(); ++group) {
        const auto gpus = static_cast<std::int64_t>(ends[group] - begin);
        level.min_gpus = group == 0 ? gpus : std::min(level.min_gpus, gpus);
        level.max_gpus = std::max(level.max_gpus, gpus);
        level.group_of_unit.insert(
            level.group_of_unit.end(), (ends[group] - begin) / gpus_per_unit, group);
        begin = ends[group];
    }
    return level;
}

/// Sets the narrowest medium that joins every group of each level, and names the widest level of
/// NVLink.
void find_media(const Fabric& fabric, Locality& locality) {
    for (const Medium medium : {Medium::pcie, Medium::nvlink}) {
        JoinedParts parts{fabric};
        for (const FabricLink& link : fabric.links)
            if (carries(medium, fabric.devices[link.from].kind) &&
                carries(medium, fabric.devices[link.to].kind))
                parts.join(link);
        for (LocalityLevel& level : locality.levels)
            if (parts.joins_groups(locality, level))
                level.medium = medium;
    }
    const std::string nvlink{medium_names[static_cast<std::size_t>(Medium::nvlink)]};
    if (locality.find(nvlink) < locality.levels.size())
        return;
    for (std::size_t level = locality.levels.size(); level-- > 0;)
        if (locality.levels[level].medium == Medium::nvlink &&
            locality.levels[level].max_gpus > 1) {
            std::vector<std::string>& names = locality.levels[level].names;
            names.insert(names.begin(), nvlink);
            return;
        }
}

} // namespace

bool LocalityLevel::is_called(std::string_view name) const {
    return std::ranges::find(names, name) != names.end();
}

std::size_t Locality::find(std::string_view name) const {
    const auto found = std::ranges::find_if(
        levels, [&](const LocalityLevel& level) { return level.is_called(name); });
    return static_cast<std::size_t>(found - levels.begin());
}

std::size_t Locality::narrowest_for(std::int64_t wanted) const {
    const auto found = std::ranges::find_if(
        levels, [&](const LocalityLevel& level) { return level.max_gpus >= wanted; });
    return static_cast<std::size_t>(found - levels.begin());
}

std::pair<std::size_t, std::size_t> Locality::gpus_of(std::size_t level,
                                                      std::uint32_t group) const {
    const auto [first, last] = std::ranges::equal_range(levels[level].group_of_unit, group);
    const auto begin = levels[level].group_of_unit.begin();
    return {static_cast<std::size_t>(first - begin) * gpus_per_unit,
            static_cast<std::size_t>(last - begin) * gpus_per_unit};
}

Locality locality_of(const Fabric& fabric) {
    Locality locality;
    locality.gpus = gpus_in_order(fabric);
    if (locality.gpus.empty())
        fail("no GPU is among them", "give devices of kind gpu");
    check_connected(fabric);
    std::vector<Chain> chains;
    for (const std::uint32_t gpu : locality.gpus)
        chains.push_back(chain_of(fabric, gpu));
    std::vector<std::string> words = common_words(fabric, locality.gpus, chains);
    for (Chain& chain : chains)
        chain.push_back(0);
    words.emplace_back(fabric_word);

    std::uint32_t gpus_per_node = 0;
    std::vector<std::size_t> ends_before;
    for (std::size_t depth = 0; depth < words.size(); ++depth) {
        const std::vector<std::size_t> ends = run_ends(chains, depth);
        if (gpus_per_node == 0) { // in a node, or the node
            const std::uint32_t gpus = equal_length(ends, words[depth]);
            if (depth == 0)
                locality.gpus_per_unit = gpus;
            if (words[depth] == node_word)
                gpus_per_node = gpus;
        }
        if (ends != ends_before)
            locality.levels.push_back(level_of(ends, locality.gpus_per_unit));
        LocalityLevel& level = locality.levels.back();
        level.names.push_back(words[depth]);
        level.enclosure.clear();
        for (const std::size_t end : ends)
            level.enclosure.push_back(chains[end - 1][depth]);
        ends_before = ends;
    }
    locality.units_per_node = gpus_per_node / locality.gpus_per_unit;
    find_media(fabric, locality);
    return locality;
}

}} // namespace bursar::models
