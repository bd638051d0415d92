#pragma once

#include "sim/engine/nodes/node_detail.hpp"

#include "policies/simulate.hpp"

namespace bursar {

/// The kernel that runs one scenario per warp under `choice`, on plans of that detail: the engine's
/// own body, instantiated for the device. For cudaLaunchKernel with blocks of 32 threads and the
/// arguments of `run_on_warp` (run_on_warp.cuh). Compiled wherever a CUDA toolkit is found, so that
/// the body stays fit for the device. Null where a name is not in the catalogue.
const void* warp_kernel_for(const PolicyChoice& choice, NodeDetail detail);

} // namespace bursar
