#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "models/gpu/gpu.hpp"
#include "models/topology/fabric.hpp"
#include "models/topology/locality.hpp"

#include "scenarios/catalog/topology_spec.hpp"
#include "scenarios/scenario/scenario.hpp"

namespace bursar { inline namespace scenarios {

/// The nodes that a topology joins.
struct FabricSize {
    std::string name; ///< of the pool, or of the entry of the catalogue
    std::int64_t nodes{};
    std::int64_t gpus_per_node{};
    std::optional<ByteRate> network; ///< of a node, if the pool gives it
};

/// The graph of a topology in short form, with missing values from the GPU.
/// Throws ScenarioError at the wrong key (`spec.written`), or at `place`.
Fabric short_form_fabric(const TopologySpec& spec,
                         const FabricSize& size,
                         const Gpu& gpu,
                         const Written& place);

/// A pool's fabric and where its GPUs are in it.
struct PoolFabric {
    Fabric fabric;
    Locality locality;
};

/// The fabric of a pool: its file, its short form, or, without a topology, one switch above nodes
/// with the usual links of the GPU. Throws ScenarioError, also for a file with other nodes than the
/// pool's.
PoolFabric pool_fabric(const PoolSpec& pool, const Gpu& gpu);

}} // namespace bursar::scenarios
