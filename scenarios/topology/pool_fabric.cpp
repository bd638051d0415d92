#include "scenarios/topology/pool_fabric.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "models/errors/model_error.hpp"
#include "models/network/link_facts.hpp"
#include "models/topology/regular_fabric.hpp"
#include "models/training/job/cluster.hpp"

#include "scenarios/errors/fail_input.hpp"
#include "scenarios/topology/fabric_file.hpp"

namespace bursar { inline namespace scenarios {
namespace {

[[noreturn]] void fail_at(const Written& written, const ModelError& error) {
    fail_input(written.place, written.path, mistake(error.problem(), {}, error.remedy()));
}

/// Reports the model's refusal at the place of its key.
[[noreturn]] void
fail_topology(const TopologySpec& spec, const Written& place, const ModelError& error) {
    const auto found = spec.written.find(error.parameter());
    if (found != spec.written.end())
        fail_at(found->second, error);
    fail_input(place.place, place.path, mistake(error.what()));
}

/// Whether GPUs of that kind have direct links to each other.
bool has_nvlink(const Gpu& gpu, std::int64_t gpus_per_node) {
    return gpu.scaleup_gb_s && gpus_per_node > 1 &&
           scaleup_link(gpu, gpus_per_node).kind != LinkKind::pcie;
}

ByteRate usual_pcie_link(const Gpu& gpu, bool nvlink) {
    return gpu.scaleup_gb_s && !nvlink ? scaleup_bandwidth(gpu) : host_link(gpu);
}

FabricTier tier_of(const char* word,
                   const GroupSize& size,
                   const std::optional<Uplink>& uplink,
                   std::int64_t nodes_per_rack) {
    FabricTier tier;
    tier.name = word;
    tier.nodes = size.count * (size.in_racks ? nodes_per_rack : 1);
    if (uplink) {
        tier.uplink = uplink->rate;
        tier.oversubscription = uplink->oversubscription;
    }
    return tier;
}

/// GPUs of an NVLink domain where the scenario states none: whole nodes, as many as the GPU's
/// servers join (Gpu::scaleup_domain), the pool has and racks and pods do not cut; 0: no NVLink.
std::int64_t usual_nvlink(const Gpu& gpu, const FabricSize& size, const RegularFabric& fabric) {
    if (!has_nvlink(gpu, size.gpus_per_node))
        return 0;
    const std::int64_t most =
        std::min(gpu.scaleup_domain.value_or(size.gpus_per_node) / size.gpus_per_node, size.nodes);
    for (std::int64_t nodes = fabric.torus.empty() ? most : 1; nodes > 1; --nodes)
        if (std::ranges::all_of(fabric.tiers, [nodes](const FabricTier& tier) {
                return tier.nodes % nodes == 0 || nodes % tier.nodes == 0;
            }))
            return nodes * size.gpus_per_node;
    return size.gpus_per_node;
}

RegularFabric regular_fabric(const TopologySpec& spec, const FabricSize& size, const Gpu& gpu) {
    RegularFabric out;
    out.name = size.name;
    out.nodes = size.nodes;
    out.gpus_per_node = size.gpus_per_node;
    const bool nvlink = has_nvlink(gpu, size.gpus_per_node);
    out.pcie_link = spec.pcie_link.value_or(usual_pcie_link(gpu, nvlink));
    out.rails = spec.rails.value_or(1);
    out.node_link = spec.node_link ? *spec.node_link
                    : size.network ? *size.network
                                   : usual_node_network(gpu, size.gpus_per_node);
    if (spec.rack)
        out.tiers.push_back(tier_of("rack", *spec.rack, spec.rack_link, 1));
    if (spec.pod)
        out.tiers.push_back(
            tier_of("pod", *spec.pod, spec.pod_link, spec.rack ? spec.rack->count : 1));
    out.torus = spec.torus;
    out.tile = spec.tile;
    out.nvlink = spec.nvlink ? *spec.nvlink : usual_nvlink(gpu, size, out);
    if (out.nvlink > 0)
        out.nvlink_link = spec.nvlink_link ? *spec.nvlink_link : scaleup_bandwidth(gpu);
    return out;
}

void check_size(const PoolSpec& pool, const Locality& locality, const Written& place) {
    const auto gpus_per_node =
        static_cast<std::int64_t>(locality.gpus_per_unit * locality.units_per_node);
    const auto nodes = static_cast<std::int64_t>(locality.num_nodes());
    if (nodes == pool.nodes && gpus_per_node == pool.gpus_per_node)
        return;
    fail_input(
        place.place,
        place.path,
        mistake(fmt::format("the file has {} nodes of {} GPUs", nodes, gpus_per_node),
                fmt::format("pool {} has {} of {}", pool.name, pool.nodes, pool.gpus_per_node),
                "make them agree"));
}

} // namespace

Fabric short_form_fabric(const TopologySpec& spec,
                         const FabricSize& size,
                         const Gpu& gpu,
                         const Written& place) {
    try {
        return make_fabric(regular_fabric(spec, size, gpu));
    } catch (const ModelError& error) {
        fail_topology(spec, place, error);
    } catch (const UnknownFact& unknown) {
        fail_input(place.place, place.path, mistake(unknown.what()));
    }
}

PoolFabric pool_fabric(const PoolSpec& pool, const Gpu& gpu) {
    const TopologySpec spec = pool.topology.value_or(TopologySpec{});
    const auto written = spec.written.find("");
    const Written place =
        written != spec.written.end() ? written->second : Written{pool.place, "fleet." + pool.name};
    if (!spec.file.empty()) {
        const auto file = spec.written.find("file");
        PoolFabric out = read_fabric(spec.file);
        check_size(pool, out.locality, file != spec.written.end() ? file->second : place);
        return out;
    }
    PoolFabric out;
    out.fabric = short_form_fabric(
        spec, {pool.name, pool.nodes, pool.gpus_per_node, pool.network}, gpu, place);
    out.locality = locality_of(out.fabric);
    return out;
}

}} // namespace bursar::scenarios
