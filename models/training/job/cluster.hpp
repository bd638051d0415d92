#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "models/gpu/gpu.hpp"
#include "models/network/link_facts.hpp"
#include "models/network/locality_tree.hpp"

namespace bursar { inline namespace models {

struct MeasuredOperators;

/// The GPUs a job runs on and what connects them.
struct Cluster {
    Gpu gpu;
    std::int64_t gpus_per_node{8}; ///< joined by the innermost links: an NVLink domain
    LocalityTree tree;             ///< levels[0].gpus == gpus_per_node
    ByteRate host_link{};          ///< GPU to host memory, one direction (PCIe), > 0
    std::int64_t gpus_per_host{8}; ///< that share one host's memory and loaders
    std::shared_ptr<const MeasuredOperators> operators{}; ///< of its GPU; null: formulas alone
};

/// A tier of switches above the nodes: a rack, a pod, the whole fabric.
struct NetworkTier {
    std::string name;
    std::int64_t gpus{};        ///< GPUs in one domain of this tier, a multiple of the tier below
    double oversubscription{1}; ///< traffic that may enter over what may leave the tier below; >= 1
};

/// A cluster of `gpu`: one level for the node, at the GPU's scale-up link, and one per tier at the
/// node network's share of one GPU. Without tiers one fabric holds any number of nodes.
///
/// gpus_per_node: >= 1. node_network: all NICs of one node, one direction, > 0.
/// network: how collectives use it (latency, efficiency), not its rate.
/// Throws UnknownFact where the GPU states no scale-up link and a node has several, or its
/// catalogue no server for it; ModelError for numbers out of range and tiers that do not grow.
Cluster make_cluster(const Gpu& gpu,
                     std::int64_t gpus_per_node,
                     ByteRate node_network,
                     std::span<const NetworkTier> tiers,
                     const LinkFacts& network);

/// The same with the default network of its catalogue.
Cluster make_cluster(const Gpu& gpu,
                     std::int64_t gpus_per_node,
                     ByteRate node_network,
                     std::span<const NetworkTier> tiers = {});

/// The default network rate of nodes with this GPU, all NICs of a node, from the servers of its
/// catalogue. gpus_per_node: >= 1. Throws UnknownFact where the catalogue has no server for it.
ByteRate usual_node_network(const Gpu& gpu, std::int64_t gpus_per_node);

/// GPUs of a node in the usual server of this GPU. Throws likewise.
std::int64_t usual_gpus_per_node(const Gpu& gpu);

/// GPUs of one job joined by scale-up links: those of a node, or of the most whole nodes of a
/// domain (of `domain` GPUs) that its `gpus` fill completely, domain by domain.
std::int64_t joined_gpus(std::int64_t domain, std::int64_t gpus, std::int64_t gpus_per_node);

/// The cluster that a job of `gpus` GPUs sees: make_cluster() of its scale-up domains, which may be
/// several nodes. Throws likewise.
Cluster
job_cluster(const Gpu& gpu, std::int64_t gpus, std::int64_t gpus_per_node, ByteRate node_network);

/// GPU to host memory, one direction, as reached by copies (FORMULAS 4.11). Throws likewise.
ByteRate host_link(const Gpu& gpu);

}} // namespace bursar::models
