#pragma once

#include "policies/engine_choice.hpp"

namespace bursar::inline policies {

/// The kernel that runs one scenario per warp under `choice`: the engine's own body, instantiated
/// for the device. For cudaLaunchKernel with blocks of 32 threads and the arguments of
/// `run_on_warp` (run_on_warp.cuh). Compiled wherever a CUDA toolkit is found, so that the body
/// stays fit for the device.
const void* warp_kernel_for(const EngineChoice& choice);

} // namespace bursar::inline policies
