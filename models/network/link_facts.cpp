#include "models/network/link_facts.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace bursar { inline namespace models {

namespace {

std::string folded(std::string_view name) {
    std::string text;
    for (const char c : name) {
        if (c != ' ')
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
}

const LinkTable& links_of(const Gpu& gpu) {
    if (gpu.links == nullptr)
        throw UnknownFact{gpu, "its kind of links"};
    return *gpu.links;
}

LinkFacts first_of(const Gpu& gpu, LinkKind kind) {
    const std::vector<LinkFacts>& links = links_of(gpu).all;
    const auto found = std::ranges::find(links, kind, &LinkFacts::kind);
    if (found == links.end())
        throw UnknownFact{
            gpu, "a " + std::string{link_kind_names[static_cast<std::size_t>(kind)]} + " link"};
    return *found;
}

/// PCIe up to generation 5; above it, the generation whose rate is nearest in ratio.
LinkFacts link_of_rate(const Gpu& gpu, double gb_s) {
    constexpr double fastest_pcie_gb_s = 64;
    if (gb_s <= fastest_pcie_gb_s)
        return pcie_link(gpu);
    const auto distance = [gb_s](const LinkFacts& link) {
        return std::abs(std::log(link.gb_s / gb_s));
    };
    const LinkFacts* nearest = nullptr;
    for (const LinkFacts& link : links_of(gpu).all)
        if (link.for_unknown && (nearest == nullptr || distance(link) < distance(*nearest)))
            nearest = &link;
    if (nearest == nullptr)
        throw UnknownFact{gpu, "its kind of links"};
    return *nearest;
}

bool names_gpu(const LinkFacts& link, const Gpu& gpu) {
    return std::ranges::any_of(
        link.gpus, [&](const std::string& start) { return gpu.name.starts_with(start); });
}

} // namespace

const LinkFacts* LinkTable::find(std::string_view name) const {
    const auto found = std::ranges::find_if(
        all, [&](const LinkFacts& link) { return folded(link.name) == folded(name); });
    return found == all.end() ? nullptr : &*found;
}

LinkFacts scaleup_link(const Gpu& gpu, std::int64_t gpus_per_node) {
    constexpr std::int64_t cube_mesh_gpus = 8; // DGX-1; larger V100 nodes (DGX-2) have NVSwitch
    const double gb_s = scaleup_bandwidth(gpu).count() / bytes_per_gb;
    const std::vector<LinkFacts>& links = links_of(gpu).all;
    const auto named =
        std::ranges::find_if(links, [&](const LinkFacts& link) { return names_gpu(link, gpu); });
    LinkFacts facts = named == links.end() ? link_of_rate(gpu, gb_s) : *named;
    if (facts.wiring == Wiring::cube_mesh && gpus_per_node > cube_mesh_gpus)
        facts.wiring = Wiring::switched;
    return facts;
}

LinkFacts pcie_link(const Gpu& gpu) {
    return first_of(gpu, LinkKind::pcie);
}

LinkFacts node_network_link(const Gpu& gpu) {
    return first_of(gpu, LinkKind::network);
}

LinkLevel
link_level(const LinkFacts& facts, std::string_view name, std::int64_t gpus, ByteRate bandwidth) {
    constexpr double us = 1e-6;
    LinkLevel level;
    level.name = name;
    level.gpus = gpus;
    level.bandwidth = bandwidth;
    level.latency = Seconds{facts.hop_us * us};
    level.in_network_reduction = facts.reduction_efficiency > 0;
    level.source = facts.name + ": " + facts.source;
    level.startup = Seconds{facts.startup_us * us};
    level.efficiency = facts.efficiency;
    level.pair_loss = facts.pair_loss;
    level.wiring = facts.wiring;
    level.low_latency = {.startup = Seconds{facts.low_latency_startup_us * us},
                         .latency = Seconds{facts.low_latency_hop_us * us},
                         .efficiency = facts.low_latency_efficiency};
    if (level.in_network_reduction) {
        level.reduction = {.startup = Seconds{facts.reduction_startup_us * us},
                           .efficiency = facts.reduction_efficiency,
                           .ranks = facts.reduction_ranks};
    }
    return level;
}

const ServerFacts& usual_server(const Gpu& gpu) {
    if (gpu.servers == nullptr)
        throw UnknownFact{gpu, "its kind of server"};
    const std::vector<ServerFacts>& servers = gpu.servers->all;
    auto found = std::ranges::find_if(servers, [&](const ServerFacts& server) {
        return std::ranges::any_of(
            server.gpus, [&](const std::string& start) { return gpu.name.starts_with(start); });
    });
    if (found == servers.end())
        found = std::ranges::find(servers, true, &ServerFacts::for_unknown);
    if (found == servers.end())
        throw UnknownFact{gpu, "its kind of server"};
    return *found;
}

}} // namespace bursar::models
