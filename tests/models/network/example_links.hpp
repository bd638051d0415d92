#pragma once

#include <memory>

#include "models/network/link_facts.hpp"

/// Links and servers that the model tests share; facts as in scenarios/catalog.
namespace bursar {

inline std::shared_ptr<const LinkTable> example_links() {
    const auto link =
        [](const char* name, LinkKind kind, double gb_s, double hop_us, double share) {
            LinkFacts facts;
            facts.name = name;
            facts.kind = kind;
            facts.gb_s = gb_s;
            facts.startup_us = 37;
            facts.hop_us = hop_us;
            facts.efficiency = share;
            facts.source = "an example";
            return facts;
        };
    const auto low_latency = [](LinkFacts& facts, double startup_us, double hop_us, double share) {
        facts.low_latency_startup_us = startup_us;
        facts.low_latency_hop_us = hop_us;
        facts.low_latency_efficiency = share;
    };
    LinkFacts volta = link("NVLink 2", LinkKind::scaleup, 150, 4.2, 0.90);
    volta.gpus = {"V100-SXM"};
    volta.startup_us = 15;
    volta.wiring = Wiring::cube_mesh;
    low_latency(volta, 32, 1.1, 0.145);
    LinkFacts ampere = link("NVLink 3", LinkKind::scaleup, 300, 2.8, 0.80);
    ampere.gpus = {"A100-SXM"};
    ampere.for_unknown = true;
    ampere.pair_loss = 0.22;
    low_latency(ampere, 33, 0.64, 0.079);
    LinkFacts hopper = link("NVLink 4", LinkKind::scaleup, 450, 2.8, 0.81);
    hopper.gpus = {"H100-SXM", "H200-SXM", "GH200"};
    hopper.for_unknown = true;
    hopper.reduction_startup_us = 90;
    hopper.reduction_efficiency = 0.68;
    hopper.reduction_ranks = 5;
    low_latency(hopper, 25, 1, 0.59);
    LinkFacts blackwell = link("NVLink 5", LinkKind::scaleup, 900, 2.8, 0.755);
    blackwell.gpus = {"B200", "GB200"};
    blackwell.for_unknown = true;
    blackwell.reduction_startup_us = 250;
    blackwell.reduction_efficiency = 0.607;
    blackwell.reduction_ranks = 6;
    low_latency(blackwell, 32, 1, 0.32);
    LinkFacts infinity = link("Infinity Fabric", LinkKind::scaleup, 448, 2.8, 0.72);
    infinity.gpus = {"MI3"};
    infinity.wiring = Wiring::full_mesh;
    LinkFacts rdma = link("RDMA network", LinkKind::network, 50, 14, 0.94);
    low_latency(rdma, 33, 5, 0.47);
    static const auto links =
        std::make_shared<const LinkTable>(LinkTable{{volta,
                                                     ampere,
                                                     hopper,
                                                     blackwell,
                                                     infinity,
                                                     link("PCIe", LinkKind::pcie, 31, 5.7, 0.7),
                                                     rdma}});
    return links;
}

inline std::shared_ptr<const ServerTable> example_servers() {
    const ServerFacts pcie3{"PCIe 3", {"V100", "T4"}, false, 12, 0, 12.5, 8, 2023, "an example"};
    const ServerFacts pcie4{"PCIe 4", {"A100"}, false, 25, 25, 0, 8, 2023, "an example"};
    const ServerFacts shared{
        "PCIe 4, shared NICs", {"A10"}, false, 25, 0, 12.5, 8, 2023, "an example"};
    const ServerFacts pcie5{"PCIe 5", {}, true, 50, 50, 0, 8, 2023, "an example"};
    return std::make_shared<const ServerTable>(ServerTable{{pcie3, pcie4, shared, pcie5}});
}

} // namespace bursar
