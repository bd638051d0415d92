#include "models/network/link_facts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>

namespace bursar {
namespace {

constexpr std::array links{
    LinkFacts{.name = "NVLink 2",
              .gb_s = 150,
              .startup_us = 20,
              .hop_us = 3.3,
              .efficiency = 0.91,
              .wiring = Wiring::cube_mesh,
              .source = "fitted 2026-11"},
    LinkFacts{.name = "NVLink 3",
              .gb_s = 300,
              .startup_us = 30,
              .hop_us = 3.5,
              .efficiency = 0.78,
              .pair_loss = 0.16,
              .source = "fitted 2026-11"},
    LinkFacts{.name = "NVLink 4",
              .gb_s = 450,
              .startup_us = 30,
              .hop_us = 3.5,
              .efficiency = 0.81,
              .reduction_efficiency = 0.68,
              .reduction_ranks = 5,
              .source = "fitted 2026-11"},
    LinkFacts{.name = "NVLink 5",
              .gb_s = 900,
              .startup_us = 40,
              .hop_us = 3.5,
              .efficiency = 0.755,
              .reduction_efficiency = 0.59,
              .reduction_ranks = 6,
              .source = "fitted 2026-11"},
    LinkFacts{.name = "Infinity Fabric",
              .gb_s = 448,
              .startup_us = 30,
              .hop_us = 3.5,
              .efficiency = 0.7,
              .wiring = Wiring::full_mesh,
              .source = "fitted 2026-11"},
    LinkFacts{.name = "PCIe",
              .gb_s = 31,
              .startup_us = 30,
              .hop_us = 5.7,
              .efficiency = 0.7,
              .source = "fitted 2026-11"},
    LinkFacts{.name = "RDMA network",
              .gb_s = 50,
              .startup_us = 30,
              .hop_us = 14,
              .efficiency = 0.92,
              .source = "fitted 2026-11"},
    LinkFacts{.name = "EFA",
              .gb_s = 50,
              .startup_us = 30,
              .hop_us = 25,
              .efficiency = 0.92,
              .source = "fitted 2026-11"},
};

struct GpuLink {
    std::string_view gpu; ///< start of the GPU's name
    std::string_view link;
};

/// The first row whose `gpu` starts the name; form factors without a switch come first.
constexpr std::array gpu_links{
    GpuLink{"V100-SXM", "NVLink 2"},
    GpuLink{"A100-SXM", "NVLink 3"},
    GpuLink{"H100-SXM", "NVLink 4"},
    GpuLink{"H200-SXM", "NVLink 4"},
    GpuLink{"GH200", "NVLink 4"},
    GpuLink{"B200", "NVLink 5"},
    GpuLink{"GB200", "NVLink 5"},
    GpuLink{"B300", "NVLink 5"},
    GpuLink{"MI250X", "Infinity Fabric"},
    GpuLink{"MI3", "Infinity Fabric"},
};

std::string folded(std::string_view name) {
    std::string text;
    for (const char c : name) {
        if (c != ' ')
            text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
}

/// PCIe up to generation 5; above it, the NVLink generation whose rate is nearest in ratio.
LinkFacts link_of_rate(double gb_s) {
    constexpr double fastest_pcie_gb_s = 64;
    if (gb_s <= fastest_pcie_gb_s)
        return *find_link("PCIe");
    const auto distance = [gb_s](const LinkFacts& link) {
        return std::abs(std::log(link.gb_s / gb_s));
    };
    LinkFacts nearest = *find_link("NVLink 3");
    for (const std::string_view name : {"NVLink 4", "NVLink 5"}) {
        const LinkFacts link = *find_link(name);
        if (distance(link) < distance(nearest))
            nearest = link;
    }
    return nearest;
}

} // namespace

std::span<const LinkFacts> all_link_facts() {
    return links;
}

std::optional<LinkFacts> find_link(std::string_view name) {
    const auto found = std::find_if(links.begin(), links.end(), [&](const LinkFacts& link) {
        return folded(link.name) == folded(name);
    });
    if (found == links.end())
        return std::nullopt;
    return *found;
}

LinkFacts scaleup_link(const Gpu& gpu, std::int64_t gpus_per_node) {
    constexpr std::int64_t cube_mesh_gpus = 8; // DGX-1; larger V100 nodes (DGX-2) have NVSwitch
    const double gb_s = scaleup_bandwidth(gpu).count() / bytes_per_gb;
    const auto row = std::find_if(gpu_links.begin(), gpu_links.end(), [&](const GpuLink& link) {
        return gpu.name.starts_with(link.gpu);
    });
    LinkFacts facts = row == gpu_links.end() ? link_of_rate(gb_s) : *find_link(row->link);
    if (facts.wiring == Wiring::cube_mesh && gpus_per_node > cube_mesh_gpus)
        facts.wiring = Wiring::switched;
    return facts;
}

LinkFacts node_network_link() {
    return *find_link("RDMA network");
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
    level.source = std::string{facts.name} + ": " + std::string{facts.source};
    level.startup = Seconds{facts.startup_us * us};
    level.efficiency = facts.efficiency;
    level.pair_loss = facts.pair_loss;
    level.wiring = facts.wiring;
    level.low_latency = {.startup = Seconds{facts.low_latency_startup_us * us},
                         .latency = Seconds{facts.low_latency_hop_us * us},
                         .efficiency = facts.low_latency_efficiency};
    if (level.in_network_reduction) {
        level.reduction_efficiency = facts.reduction_efficiency;
        level.reduction_ranks = facts.reduction_ranks;
    }
    return level;
}

} // namespace bursar
