#pragma once

#include <cstddef>

#include "policies/batch/batch.hpp"
#include "policies/runs/engine_choice.hpp"

namespace bursar { inline namespace policies {

/// The kernel that serves batches of a choice on a device: the engine's own body, instantiated for
/// warps.
struct BatchKernel {
    /// For cudaLaunchKernel: one argument, a Batch in the device's memory; whole warps a block, one
    /// arena for each (batch_kernels.cuh).
    const void* kernel{};
    /// Bytes of the arena of a run; plan: on the host.
    std::size_t (*arena_bytes)(const PlanView& plan, const BatchRun& run){};
};

/// Compiled wherever a CUDA toolkit is found, so that the body stays fit for the device. Without a
/// kernel where those for its kind of capacity are left out (BURSAR_KERNELS).
BatchKernel batch_kernel_for(const EngineChoice& choice);

}} // namespace bursar::policies
