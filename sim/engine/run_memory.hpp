#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/run_state.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar {

/// Everything one run changes, at the start of its arena, and what it points to behind it.
template <class Queue, class Capacity>
struct RunMemory {
    RunState state;
    Queue queue;
    Capacity capacity;

    /// The one place that lays an arena out: for host and device alike, and, with a measuring
    /// carver, to learn its size (the answer is null then). One thread does it.
    template <class... QueueArgs>
    BURSAR_HD static RunMemory* lay_out(ArenaCarver& carver,
                                        const PlanView& plan,
                                        std::uint32_t max_live,
                                        const QueueArgs&... queue_args) {
        RunMemory* memory = carver.take<RunMemory>(1);
        RunMemory content;
        content.state = carve_run_state(carver, plan, max_live);
        content.queue = Queue{carver, plan, queue_args...};
        content.capacity = Capacity{carver, plan};
        if (memory != nullptr) {
            *memory = content;
            memory->state.attempts.clear();
            memory->state.ledger.clear();
            memory->queue.clear();
            memory->capacity.clear();
        }
        return memory;
    }
};

} // namespace bursar
