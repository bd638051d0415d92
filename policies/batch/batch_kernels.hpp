#pragma once

#include <cstddef>

#include "policies/batch/batch.hpp"
#include "policies/runs/engine_choice.hpp"

namespace bursar { inline namespace policies {

/// The kernel that serves batches of a choice on a device: the engine's own body, instantiated for
/// warps.
struct BatchKernel {
    /// For cudaLaunchKernel: one argument, a Batch in the device's memory; blocks of whole warps,
    /// one arena per warp (batch_kernels.cuh).
    const void* kernel{};
    /// Bytes of the arena of a run; plan: on the host.
    std::size_t (*arena_bytes)(const PlanView& plan, const BatchRun& run){};
};

/// Compiled if a CUDA toolkit is found. Has no kernel if those for its kind of capacity are left
/// out (BURSAR_KERNELS).
BatchKernel batch_kernel_for(const EngineChoice& choice);

}} // namespace bursar::policies
