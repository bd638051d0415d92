#include "sim/engine/arrival_cursor.hpp"
#include "sim/engine/count_capacity.hpp"
#include "sim/engine/loop.hpp"
#include "sim/engine/node_capacity.hpp"
#include "sim/engine/ranked_queue.hpp"
#include "sim/engine/run_memory.hpp"
#include "sim/engine/warp_team.cuh"
#include "sim/record/recorder.hpp"

#include "policies/placement/registry.hpp"
#include "policies/queue/registry.hpp"
#include "policies/warp_kernels.hpp"

namespace bursar {

/// Runs `plan` (device pointers) in `arena`, which holds at least what the same carving measures on
/// the host. Launch with 32 threads a block; the run's state is the first object in the arena
/// afterwards.
template <class Queue, class Capacity, class... QueueArgs>
__global__ void run_on_warp(PlanView plan,
                            HeadRule head_rule,
                            std::byte* arena,
                            std::uint32_t max_live,
                            QueueArgs... queue_args) {
    using Memory = RunMemory<Queue, Capacity>;
    const WarpTeam team;
    Memory* memory = reinterpret_cast<Memory*>(arena); // where lay_out puts it
    team.once([&] {
        ArenaCarver carver{arena};
        Memory::lay_out(carver, plan, max_live, queue_args...);
    });
    NullRecorder recorder;
    Loop<Queue, Capacity, WarpTeam, NullRecorder> loop{
        plan, head_rule, memory->state, memory->queue, memory->capacity, team, recorder};
    loop.run();
}

namespace {

template <class Queue, class Capacity>
const void* kernel() {
    if constexpr (std::is_same_v<Queue, ArrivalCursor>) {
        return reinterpret_cast<const void*>(&run_on_warp<Queue, Capacity>);
    } else {
        return reinterpret_cast<const void*>(&run_on_warp<Queue, Capacity, JobOrderView>);
    }
}

template <class Queue>
const void* kernel_for_capacity(const PolicyChoice& choice) {
    if (choice.capacity == capacity_count)
        return kernel<Queue, CountCapacity>();
    const void* found = nullptr;
    PlacementPolicies::with(choice.placement, [&]<class P>(std::type_identity<P>) {
        found = kernel<Queue, NodeCapacity<P>>();
    });
    return found;
}

} // namespace

const void* warp_kernel_for(const PolicyChoice& choice) {
    if (!needs_order(choice))
        return kernel_for_capacity<ArrivalCursor>(choice);
    const void* found = nullptr;
    QueuePolicies::with(choice.queue, [&]<class P>(std::type_identity<P>) {
        found = kernel_for_capacity<RankedQueue<P>>(choice);
    });
    return found;
}

} // namespace bursar
