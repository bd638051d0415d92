#include "scenarios/measurements/measured_cluster.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "models/units/physics.hpp"

namespace bursar { inline namespace scenarios {

namespace {

/// GPUs that reach each other by their own links: those of a node, or of as many nodes as one
/// domain holds, so that the run's GPUs fill whole domains.
std::int64_t scaleup_domain(const Gpu& gpu, std::int64_t gpus, std::int64_t per_node) {
    std::int64_t domain = per_node;
    for (std::int64_t size = per_node; size <= gpu.scaleup_domain.value_or(per_node);
         size += per_node)
        if (gpus % size == 0)
            domain = size;
    return domain;
}

} // namespace

Cluster measured_cluster(const TrainingMeasurement& row, Gpu gpu, Assumptions& assumptions) {
    const std::int64_t gpus = row.gpus.value_or(row.tensor.value_or(1) * row.pipeline.value_or(1) *
                                                row.context.value_or(1) * row.data.value_or(1));
    const std::int64_t per_node = row.gpus_per_node.value_or(std::min<std::int64_t>(gpus, 8));
    if (!row.gpus_per_node && gpus > 8)
        assumptions.emplace_back("gpus_per_node: 8");
    if (!gpu.scaleup_gb_s && per_node > 1) {
        gpu.scaleup_gb_s = 25; // PCIe 4 x16 as copies reach it
        assumptions.emplace_back("link between GPUs of a node: PCIe, 25 GB/s");
    }
    ByteRate network = usual_node_network(gpu, per_node);
    if (row.inter_node_gbps)
        network = ByteRate{*row.inter_node_gbps * 1e9 / 8.0};
    else if (gpus > per_node)
        assumptions.push_back(fmt::format("network: {:.0f} Gbit/s per node, as usual with this GPU",
                                          network.count() * 8.0 / 1e9));
    const std::int64_t domain = scaleup_domain(gpu, gpus, per_node);
    Cluster cluster = make_cluster(gpu, domain, network * (real(domain) / real(per_node)));
    cluster.gpus_per_host = per_node;
    if (domain > per_node)
        assumptions.push_back(
            fmt::format("GPUs joined by their own links: {} of several nodes", domain));
    return cluster;
}

}} // namespace bursar::scenarios
