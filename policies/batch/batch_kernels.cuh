#pragma once

#include "sim/team/warp_team.cuh"

#include "policies/batch/batch_kernels.hpp"
#include "policies/batch/serve_batch.hpp"
#include "policies/placement/any_placement_body.hpp"

namespace bursar { inline namespace policies {

/// Every warp of the grid takes runs of the batch until none is left. It stays on its
/// multiprocessor, and has one arena.
template <class Types>
__global__ void serve_on_warps(Batch batch) {
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    serve_batch<Types>(WarpTeam{}, batch, thread / WarpTeam::num_lanes);
}

/// The same, lane by lane.
template <class Types>
__global__ void serve_on_lanes(Batch batch) {
    const std::uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread < batch.num_teams)
        serve_batch<Types>(OneLane{}, batch, thread);
}

/// The kernel of `choice` on capacity of that kind. Kernels take long to compile, so each kind and
/// team has a separate source (kernels.cu.in).
template <CapacityKind kind, TeamKind team>
BatchKernel batch_kernel_on(const EngineChoice& choice) {
    BatchKernel found;
    with_engine_types<kind>(choice, [&]<class Types>(Types) {
        void (*kernel)(Batch) = nullptr;
        if constexpr (team == TeamKind::warp)
            kernel = &serve_on_warps<Types>;
        else
            kernel = &serve_on_lanes<Types>;
        found = {reinterpret_cast<const void*>(kernel), &batch_arena_bytes<Types>};
    });
    return found;
}

}} // namespace bursar::policies
