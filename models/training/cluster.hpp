#pragma once

#include <cstdint>

#include "models/gpu/gpu.hpp"
#include "models/network/locality_tree.hpp"

namespace bursar {

/// The GPUs a job runs on and what connects them.
struct Cluster {
    Gpu gpu;
    std::int64_t gpus_per_node{8};
    LocalityTree tree;    ///< levels[0].gpus == gpus_per_node
    ByteRate host_link{}; ///< GPU to host memory, one direction (PCIe), > 0
};

} // namespace bursar
