#pragma once

#include <cstddef>

#include "policies/batch/batch.hpp"
#include "policies/runs/engine_choice.hpp"

namespace bursar { inline namespace policies {

/// The kernel that serves batches of a choice on a device: the engine's own body, instantiated for
/// teams of a kind.
struct BatchKernel {
    /// For cudaLaunchKernel: one argument, a Batch in the device's memory; blocks of whole warps
    /// (batch_kernels.cuh).
    const void* kernel{};
    /// Bytes of the arena of a run; plan: on the host.
    std::size_t (*arena_bytes)(const PlanView& plan, const BatchRun& run){};
};

/// Compiled if a CUDA toolkit is found. Has no kernel if those for its kind of capacity or team are
/// left out (BURSAR_KERNELS, BURSAR_TEAMS).
BatchKernel batch_kernel_for(const EngineChoice& choice, TeamKind team);

}} // namespace bursar::policies
