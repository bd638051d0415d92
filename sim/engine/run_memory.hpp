#pragma once

#include <cstdint>

#include "sim/engine/arena.hpp"
#include "sim/engine/run_state.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar {

/// The three parts of a run's arena, and the one place that lays them out.
template <class Queue, class Capacity>
struct RunMemory {
    RunState state;
    Queue queue;
    Capacity capacity;

    template <class... QueueArgs>
    BURSAR_HD static RunMemory carve(ArenaCarver& carver,
                                     const PlanView& plan,
                                     std::uint32_t max_live,
                                     const QueueArgs&... queue_args) {
        RunMemory memory;
        memory.state = carve_run_state(carver, plan, max_live);
        memory.queue = Queue{carver, plan, queue_args...};
        memory.capacity = Capacity{carver, plan};
        return memory;
    }

    BURSAR_HD void clear() {
        state.attempts.clear();
        state.ledger.clear();
        queue.clear();
        capacity.clear();
    }
};

} // namespace bursar
