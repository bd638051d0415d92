#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "sim/engine/loop.hpp"
#include "sim/engine/run_memory.hpp"
#include "sim/record/outcome.hpp"
#include "sim/team/team.hpp"

namespace bursar {

/// Memory that runs reuse one after the other.
class Workspace {
  public:
    /// max_live: how many attempts may run at once, and how many preempted jobs wait, before a run
    /// starts over with twice the room, >= 1; absent: as many attempts as the plan could ever need,
    /// and a quarter of its jobs waiting.
    explicit Workspace(std::optional<std::uint32_t> max_live = std::nullopt) : max_live_{max_live} {
        assert(!max_live || *max_live >= 1);
    }

    /// For how much of `plan` an arena is laid out.
    [[nodiscard]] Room room(const Plan& plan) const;
    /// Whether there can be more of it; then room() gives twice as much.
    bool make_more_room(const Plan& plan);

    /// A block of at least `size` bytes; its content is unspecified.
    [[nodiscard]] std::byte* reserve(std::size_t size);

  private:
    /// One cache line, so that the arena starts on one.
    struct alignas(64) Unit {
        std::byte bytes[64];
    };

    std::optional<std::uint32_t> max_live_;
    unsigned doublings_{};
    std::vector<Unit> block_;
};

/// Reads a finished run's state out into an Outcome.
Outcome make_outcome(const Plan& plan, const RunState& state, std::uint32_t num_queued);

/// Runs `plan` once on this thread.
///
/// A run that finds no room for a running attempt is repeated with twice the room; `make_recorder`
/// is asked for a recorder anew each time. A run that passes the horizon, or has more than
/// EventKey::max_slots attempts at once, returns with that status and no totals worth reading.
template <class Pass,
          class Queue,
          class Capacity,
          class Team,
          class MakeRecorder,
          class... QueueArgs>
Outcome run_plan(const Plan& plan,
                 const RunOptions& options,
                 Team team,
                 Workspace& workspace,
                 MakeRecorder make_recorder,
                 const QueueArgs&... queue_args) {
    const PlanView view = view_of(plan);
    while (true) {
        const Room room = workspace.room(plan);
        using Memory = RunMemory<Pass, Queue, Capacity>;
        ArenaCarver measure{nullptr};
        Memory::lay_out(measure, view, room, options, queue_args...);
        ArenaCarver carver{workspace.reserve(measure.used())};
        Memory* memory = Memory::lay_out(carver, view, room, options, queue_args...);

        auto& recorder = make_recorder();
        Loop<Pass, Queue, Capacity, Team, std::remove_reference_t<decltype(recorder)>> loop{
            view, *memory, team, recorder};
        loop.run();
        if (memory->state.status != RunStatus::arena_full || !workspace.make_more_room(plan))
            return make_outcome(plan, memory->state, memory->queue.num_jobs());
    }
}

} // namespace bursar
