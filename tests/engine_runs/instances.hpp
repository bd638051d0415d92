#pragma once

#include <cstddef>
#include <cstdint>

#include "policies/batch/serve_batch.hpp"

#include "tests/sim/team/emulated_warp.hpp"

/// The engine's instances for the lanes of a warp on the host, as the kernels of a device serve
/// batches. What lanes share is in passes and queues; capacities know of no team. So every rule
/// runs on counts, and every pass on nodes, in full where it can, under fixed keys.
namespace bursar::test {

/// As BatchDevice::arena_bytes. On nodes the choice's rule is FixedOrder.
std::size_t
arena_bytes_on_counts(const EngineChoice& choice, const PlanView& plan, const BatchRun& run);
std::size_t
arena_bytes_on_nodes(const EngineChoice& choice, const PlanView& plan, const BatchRun& run);

/// The lanes of one warp serve a batch.
void serve_on_counts(const EngineChoice& choice, const Batch& batch, std::uint32_t seat);
void serve_on_nodes(const EngineChoice& choice, const Batch& batch, std::uint32_t seat);

template <class Types>
void serve_on_lanes(const Batch& batch, std::uint32_t seat) {
    EmulatedWarp{}.launch([&](const EmulatedWarp& warp) { serve_batch<Types>(warp, batch, seat); });
}

} // namespace bursar::test
