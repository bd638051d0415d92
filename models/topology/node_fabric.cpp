#include "models/topology/node_fabric.hpp"

namespace bursar { inline namespace models {
namespace {

std::string numbered(const char* word, std::int64_t number) {
    return word + ("[" + std::to_string(number) + "]");
}

/// The GPUs of a node with what joins them directly.
std::vector<std::uint32_t> add_gpus(FabricBuilder& fabric,
                                    std::uint32_t enclosure,
                                    const std::string& path,
                                    const RegularFabric& spec,
                                    std::optional<std::uint32_t> domain) {
    const bool several = spec.nvlink > 0 && spec.nvlink < spec.gpus_per_node;
    const bool own = spec.nvlink > 0 && !domain;
    std::vector<std::uint32_t> gpus;
    std::uint32_t around = enclosure;
    std::optional<std::uint32_t> nvswitch = domain;
    for (std::int64_t g = 0; g < spec.gpus_per_node; ++g) {
        if (own && g % spec.nvlink == 0) {
            if (several)
                around = fabric.enclosure(path + "/" + numbered("nvlink", g / spec.nvlink));
            nvswitch = fabric.device(around, "nvswitch", DeviceKind::nvswitch);
        }
        gpus.push_back(fabric.device(around, numbered("gpu", g), DeviceKind::gpu));
        if (nvswitch)
            fabric.link(gpus.back(), *nvswitch, spec.nvlink_link, nvlink_latency);
    }
    return gpus;
}

} // namespace

std::vector<std::uint32_t> add_node(FabricBuilder& fabric,
                                    std::uint32_t enclosure,
                                    const std::string& path,
                                    const RegularFabric& spec,
                                    std::optional<std::uint32_t> domain) {
    const std::vector<std::uint32_t> gpus = add_gpus(fabric, enclosure, path, spec, domain);
    std::vector<std::uint32_t> ports;
    if (!spec.torus.empty()) {
        // What a router takes from its GPUs never limits its links to the neighbours.
        const ByteRate all = spec.node_link * (2.0 * static_cast<double>(spec.torus.size()));
        ports.push_back(fabric.device(enclosure, "router", DeviceKind::network_switch));
        for (const std::uint32_t gpu : gpus)
            fabric.link(gpu, ports.front(), all, adapter_latency);
        return ports;
    }
    for (std::int64_t rail = 0; rail < spec.rails; ++rail)
        ports.push_back(fabric.device(
            enclosure, spec.rails == 1 ? "nic" : numbered("nic", rail), DeviceKind::nic));
    if (spec.nvlink >= spec.gpus_per_node) { // each GPU beside its adapter
        for (std::size_t g = 0; g < gpus.size(); ++g)
            fabric.link(gpus[g], ports[g % ports.size()], spec.pcie_link, pcie_latency);
        return ports;
    }
    const std::uint32_t host = fabric.device(enclosure, "pcie", DeviceKind::pcie);
    for (const std::uint32_t gpu : gpus)
        fabric.link(gpu, host, spec.pcie_link, pcie_latency);
    const ByteRate adapter = spec.node_link * (1.0 / static_cast<double>(spec.rails));
    for (const std::uint32_t port : ports)
        fabric.link(host, port, adapter, pcie_latency);
    return ports;
}

}} // namespace bursar::models
