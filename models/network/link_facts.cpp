#include "models/network/link_facts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>

namespace bursar {
namespace {

// Rates: vendors' figures as listed in github.com/stas00/ml-engineering, network/README.md. The
// other constants: least mean absolute log error on published all-reduce times; what the rows of a
// generation could not tell apart was taken from the next older one, as its `source` says. Hops lie
// near those of NCCL's own tuning table (NVLink 3.4 us, network 14 us, low latency 0.6 and 5 us).
constexpr std::array links{
    LinkFacts{.name = "NVLink 2",
              .gb_s = 150,
              .startup_us = 15,
              .hop_us = 4.2,
              .efficiency = 0.90,
              .low_latency_startup_us = 32,
              .low_latency_hop_us = 1.1,
              .low_latency_efficiency = 0.145,
              .wiring = Wiring::cube_mesh,
              .source = "fitted 2026-11 on vTrain's NCCL tables of V100, 2-8 GPUs, 1 MiB-1 GiB"},
    LinkFacts{.name = "NVLink 3",
              .gb_s = 300,
              .startup_us = 37,
              .hop_us = 2.8,
              .efficiency = 0.80,
              .pair_loss = 0.22,
              .low_latency_startup_us = 33,
              .low_latency_hop_us = 0.64,
              .low_latency_efficiency = 0.079,
              .source =
                  "fitted 2026-11 on vTrain's NCCL tables of A100, 2-8 GPUs, 1 MiB-1 GiB, and "
                  "ml-engineering's nccl-tests of 8 A100, 32 KiB-16 GiB"},
    LinkFacts{.name = "NVLink 4",
              .gb_s = 450,
              .startup_us = 37,
              .hop_us = 2.8,
              .efficiency = 0.81,
              .low_latency_startup_us = 25,
              .low_latency_hop_us = 1,
              .low_latency_efficiency = 0.59,
              .reduction_startup_us = 90,
              .reduction_efficiency = 0.68,
              .reduction_ranks = 5,
              .source =
                  "fitted 2026-11 on ml-engineering's runs of 4-8 H200, 32 KiB-16 GiB; startup "
                  "and hop as NVLink 3"},
    LinkFacts{.name = "NVLink 5",
              .gb_s = 900,
              .startup_us = 37,
              .hop_us = 2.8,
              .efficiency = 0.755,
              .low_latency_startup_us = 32,
              .low_latency_hop_us = 1,
              .low_latency_efficiency = 0.32,
              .reduction_startup_us = 250,
              .reduction_efficiency = 0.607,
              .reduction_ranks = 6,
              .source =
                  "fitted 2026-11 on ml-engineering's runs of 4-8 B200, 32 KiB-16 GiB; startup "
                  "and hop as NVLink 3"},
    LinkFacts{.name = "NVLink bridge",
              .gb_s = 300,
              .startup_us = 37,
              .hop_us = 2.8,
              .efficiency = 0.39,
              .source =
                  "fitted 2026-11 on two H100-PCIe of NVIDIA/nccl issue 1161, 1-4 GiB; startup "
                  "and hop as NVLink 3"},
    LinkFacts{.name = "Infinity Fabric",
              .gb_s = 448,
              .startup_us = 37,
              .hop_us = 2.8,
              .efficiency = 0.72,
              .wiring = Wiring::full_mesh,
              .source =
                  "fitted 2026-11 on ml-engineering's runs of 2 and 8 MI300X at 4 GiB; startup "
                  "and hop as NVLink 3"},
    LinkFacts{.name = "PCIe",
              .gb_s = 31,
              .startup_us = 37,
              .hop_us = 5.7,
              .efficiency = 0.7,
              .source = "no measurement: hop of NCCL's tuning table, efficiency [unverified]"},
    LinkFacts{.name = "RDMA network",
              .gb_s = 50,
              .startup_us = 37,
              .hop_us = 14,
              .efficiency = 0.94,
              .low_latency_startup_us = 33,
              .low_latency_hop_us = 5,
              .low_latency_efficiency = 0.47,
              .source = "46-48 of 50 GB/s per NIC (NVIDIA/nccl-tests issue 290), hops of NCCL's "
                        "tuning table; checked 2026-11 on issues 119 and 232"},
    LinkFacts{.name = "EFA",
              .gb_s = 50,
              .startup_us = 37,
              .hop_us = 80,
              .efficiency = 0.94,
              .source = "fitted 2026-11 on ml-engineering's runs of 4 nodes of 8 B200, 128 KiB-16 "
                        "GiB"},
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
        level.reduction = {.startup = Seconds{facts.reduction_startup_us * us},
                           .efficiency = facts.reduction_efficiency,
                           .ranks = facts.reduction_ranks};
    }
    return level;
}

} // namespace bursar
