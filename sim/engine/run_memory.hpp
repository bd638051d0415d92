#pragma once

#include <type_traits>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/event_tree.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/plan/run_plan.hpp"

namespace bursar { inline namespace sim {

/// Whether attempts of a run can be stopped: by its pass, or by the world.
template <class Pass, class Queue>
[[nodiscard]] BURSAR_HD bool can_stop_attempts(const PlanView& plan, const RunOptions& options) {
    return (Pass::has.stops && options.stops_attempts) || (Queue::has.come_back && plan.moves);
}

/// The mutable state of one run, at the start of its arena, followed by the arrays it points to.
template <class Pass, class Queue, class Capacity>
struct RunMemory {
    RunPlan plan;
    RunState state;
    EventTree events;
    Pass pass;
    Queue queue;
    Capacity capacity;

    /// Lays out an arena, for host and device; with a measuring carver it only computes the size
    /// and returns null. One thread calls it.
    template <class... QueueArgs>
    [[gnu::noinline, gnu::cold]] BURSAR_HD static RunMemory*
    lay_out(ArenaCarver& carver,
            const PlanView& compiled,
            const ArenaSize& size,
            const RunOptions& options,
            const QueueArgs&... queue_args) {
        RunMemory* memory = carver.take<RunMemory>(1);
        RunMemory content;
        const PoolOrders pool_orders{carver, compiled};
        const RunShapes shapes{carver, compiled};
        const Dependents dependents{carver, compiled};
        RunPlan plan{compiled};
        plan.since_ms = dependents.since_ms(compiled.submit_ms);
        const Fallbacks fallbacks{carver, plan, shapes, options.head == HeadRule::skip};
        const SavedPlaces saved_places{carver, compiled};
        plan.current_order = pool_orders.current(compiled.pool_preference);
        plan.current_shapes = shapes.current(compiled.shapes);
        plan.waiting_shapes = fallbacks.waiting_shapes();
        plan.saved_in = saved_places.region_of_jobs();
        content.plan = plan;
        const bool can_stop = can_stop_attempts<Pass, Queue>(plan, options);
        content.events = EventTree{carver, size.max_live};
        content.state = carve_run_state(carver, plan, size, can_stop);
        content.state.pool_orders = pool_orders;
        content.state.shapes = shapes;
        content.state.fallbacks = fallbacks;
        content.state.saved_places = saved_places;
        content.state.dependents = dependents;
        content.state.late = LateJobs{carver, plan, options.resizes};
        content.state.unfinished_recovery = options.unfinished_recovery;
        if (plan.provisioning != nullptr)
            content.state.demand = Demand{carver, plan, Capacity::counts_only};
        content.state.head_blocks = options.head == HeadRule::block;
        content.state.head_is_passed = options.reserves_for_head;
        content.state.pass_stops = Pass::has.stops && options.stops_attempts;
        content.pass = Pass{carver, plan, size.max_live, options};
        if constexpr (std::is_constructible_v<Queue,
                                              ArenaCarver&,
                                              const RunPlan&,
                                              const ArenaSize&,
                                              const QueueArgs&...>) {
            content.queue = Queue{
                carver, plan, size, queue_args...}; // queues that keep stopped jobs need a size
        } else if constexpr (std::is_constructible_v<Queue,
                                                     ArenaCarver&,
                                                     const RunPlan&,
                                                     const CarriedJobs&,
                                                     const QueueArgs&...>) {
            content.queue = Queue{carver, plan, content.state.carried, queue_args...};
        } else {
            content.queue = Queue{carver, plan, queue_args...};
        }
        content.capacity = Capacity{carver, plan, size.max_live, options};
        if (memory != nullptr) {
            *memory = content;
            memory->events.clear();
            memory->state.attempts.clear();
            memory->state.carried.clear();
            memory->state.ledger.clear();
            memory->state.fleet.clear();
            memory->state.provisional.clear();
            memory->state.fallbacks.clear();
            memory->state.failing.clear();
            memory->state.saved_places.clear();
            memory->state.dependents.clear();
            memory->state.late.clear();
            memory->state.staged.clear();
            memory->pass.clear();
            memory->queue.clear();
            memory->capacity.clear();
        }
        return memory;
    }
};

}} // namespace bursar::sim
