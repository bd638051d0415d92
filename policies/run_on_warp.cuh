#pragma once

#include "sim/engine/loop.hpp"
#include "sim/engine/run_memory.hpp"
#include "sim/record/recorder.hpp"
#include "sim/team/warp_team.cuh"

#include "policies/engine_types.hpp"
#include "policies/placement/any_placement_body.hpp"

namespace bursar::inline policies {

/// Runs `plan` (device pointers) in `arena`, which holds at least what the same carving measures on
/// the host. Launch with 32 threads a block; the run's state is the first object in the arena
/// afterwards.
template <class Pass, class Queue, class Capacity, class... QueueArgs>
__global__ void run_on_warp(
    PlanView plan, RunOptions options, std::byte* arena, ArenaSize size, QueueArgs... queue_args) {
    using Memory = RunMemory<Pass, Queue, Capacity>;
    const WarpTeam team;
    Memory* memory = reinterpret_cast<Memory*>(arena); // where lay_out puts it
    team.once([&] {
        ArenaCarver carver{arena};
        Memory::lay_out(carver, plan, size, options, queue_args...);
    });
    NullRecorder recorder;
    Loop<Pass, Queue, Capacity, WarpTeam, NullRecorder> loop{plan, *memory, team, recorder};
    loop.run();
}

template <class Pass, class Queue, class Capacity, class... QueueArgs>
const void* warp_kernel_of(std::type_identity<std::tuple<QueueArgs...>>) {
    return reinterpret_cast<const void*>(&run_on_warp<Pass, Queue, Capacity, QueueArgs...>);
}

/// The kernel of `choice` on capacity of that kind. Kernels take long to compile: each kind has a
/// source of its own (policies/instances).
template <CapacityKind kind>
const void* warp_kernel_on(const EngineChoice& choice) {
    const void* kernel = nullptr;
    with_engine_types<kind>(choice, [&]<class Types>(Types) {
        using Queue = typename Types::Queue;
        kernel = warp_kernel_of<typename Types::Pass, Queue, typename Types::Capacity>(
            std::type_identity<QueueArgs<Queue>>{});
    });
    return kernel;
}

} // namespace bursar::inline policies
