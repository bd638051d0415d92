#pragma once

#include <type_traits>

#include "sim/arena/arena.hpp"
#include "sim/engine/arena_size.hpp"
#include "sim/engine/attempts/event_heap.hpp"
#include "sim/engine/run_options.hpp"
#include "sim/engine/run_state.hpp"
#include "sim/plan/plan_view.hpp"

namespace bursar::inline sim {

/// The heap that a run needs: one whose events can be called off where jobs can come back.
template <class Queue>
using EventsOf = std::conditional_t<Queue::has.come_back, ErasableEvents, EventHeap>;

/// Whether attempts of a run can be stopped: by its pass, or by the world.
template <class Pass, class Queue>
[[nodiscard]] BURSAR_HD bool can_stop_attempts(const PlanView& plan) {
    return Pass::has.stops || (Queue::has.come_back && plan.num_world_events > 0);
}

/// Everything one run changes, at the start of its arena, and what it points to behind it.
template <class Pass, class Queue, class Capacity>
struct RunMemory {
    RunState state;
    EventsOf<Queue> events;
    Pass pass;
    Queue queue;
    Capacity capacity;

    /// The one place that lays an arena out: for host and device alike, and, with a measuring
    /// carver, to learn its size (the answer is null then). One thread does it.
    template <class... QueueArgs>
    BURSAR_HD static RunMemory* lay_out(ArenaCarver& carver,
                                        const PlanView& plan,
                                        const ArenaSize& size,
                                        const RunOptions& options,
                                        const QueueArgs&... queue_args) {
        RunMemory* memory = carver.take<RunMemory>(1);
        RunMemory content;
        const bool can_stop = can_stop_attempts<Pass, Queue>(plan);
        content.events = make_events(carver, size.max_live, can_stop);
        content.state = carve_run_state(carver, plan, size, can_stop);
        content.state.unfinished_recovery = options.unfinished_recovery;
        content.pass = Pass{carver, plan, size.max_live, options};
        if constexpr (std::is_constructible_v<Queue,
                                              ArenaCarver&,
                                              const PlanView&,
                                              const ArenaSize&,
                                              const QueueArgs&...>) {
            content.queue = Queue{carver, plan, size, queue_args...}; // it keeps jobs that have run
        } else {
            content.queue = Queue{carver, plan, queue_args...};
        }
        content.capacity = Capacity{carver, plan, size.max_live, options};
        if (memory != nullptr) {
            *memory = content;
            memory->state.attempts.clear();
            memory->state.carried.clear();
            memory->state.ledger.clear();
            memory->state.provisional.clear();
            memory->pass.clear();
            memory->queue.clear();
            memory->capacity.clear();
        }
        return memory;
    }

  private:
    BURSAR_HD static EventsOf<Queue>
    make_events(ArenaCarver& carver, std::uint32_t max_live, bool can_stop) {
        if constexpr (Queue::has.come_back)
            return {carver, max_live, PlaceOfSlot{carver, can_stop ? max_live : 0}};
        else
            return {carver, max_live};
    }
};

} // namespace bursar::inline sim
