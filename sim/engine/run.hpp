#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/engine/loop.hpp"
#include "sim/engine/run_memory.hpp"
#include "sim/engine/state/run_state.hpp"
#include "sim/engine/workspace.hpp"
#include "sim/record/outcome.hpp"
#include "sim/team/team.hpp"

namespace bursar { inline namespace sim {

/// The outcome of a finished run, on host or device. cells: of its ledger; money: likewise, null if
/// no price varies; lives: of the pools, null in a static world.
Outcome make_outcome(const Plan& plan,
                     const RunTotals& totals,
                     const SlotTime* cells,
                     const Money* money,
                     const GridTime* grid,
                     const PoolLife* lives);

/// Reads the outcome from a finished run's state.
Outcome make_outcome(const Plan& plan, const RunState& state, std::uint32_t num_queued);

/// Runs `plan` once on this thread.
///
/// A run that outgrows its arena is repeated in one twice as large, each time with a new recorder
/// from `make_recorder`. A run that passes the horizon, or has more than EventKey::max_slots
/// attempts at once, returns with that status and no totals worth reading.
template <class Pass, class Queue, class Capacity, class MakeRecorder, class... QueueArgs>
Outcome run_plan(const Plan& plan,
                 const RunOptions& options,
                 Workspace& workspace,
                 MakeRecorder make_recorder,
                 const QueueArgs&... queue_args) {
    const PlanView view = view_of(plan);
    while (true) {
        const ArenaSize size = workspace.arena_size(plan);
        using Memory = RunMemory<Pass, Queue, Capacity>;
        ArenaCarver measure{nullptr};
        Memory::lay_out(measure, view, size, options, queue_args...);
        ArenaCarver carver{workspace.reserve(measure.used())};
        Memory* memory = Memory::lay_out(carver, view, size, options, queue_args...);

        auto& recorder = make_recorder();
        using Recorder = std::remove_reference_t<decltype(recorder)>;
        memory->state.ledger.book_into(recorder.bucket_ledger());
        Loop<Pass, Queue, Capacity, OneLane, Recorder> loop{*memory, {}, recorder};
        loop.run();
        if (memory->state.status != RunStatus::arena_full || !workspace.enlarge(plan))
            return make_outcome(plan, memory->state, memory->queue.num_jobs());
    }
}

}} // namespace bursar::sim
