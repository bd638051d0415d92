#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <vector>

#include "sim/engine/loop.hpp"
#include "sim/engine/run_memory.hpp"
#include "sim/engine/team.hpp"
#include "sim/record/outcome.hpp"

namespace bursar {

/// Memory that runs reuse one after the other.
class Workspace {
  public:
    /// max_live: how many attempts may run at once before a run starts over with twice the room, >=
    /// 1; absent: as many as the plan could ever need.
    explicit Workspace(std::optional<std::uint32_t> max_live = std::nullopt) : max_live_{max_live} {
        assert(!max_live || *max_live >= 1);
    }

    /// Room for this many running attempts of `plan`.
    [[nodiscard]] std::uint32_t max_live(const Plan& plan) const;
    void make_more_room(std::uint32_t max_live) { max_live_ = 2 * max_live; }

    /// A block of at least `size` bytes; its content is unspecified.
    [[nodiscard]] std::byte* reserve(std::size_t size);

  private:
    /// One cache line, so that the arena starts on one.
    struct alignas(64) Unit {
        std::byte bytes[64];
    };

    std::optional<std::uint32_t> max_live_;
    std::vector<Unit> block_;
};

/// Reads a finished run's state out into an Outcome.
Outcome make_outcome(const Plan& plan, const RunState& state, std::uint32_t num_queued);

/// Runs `plan` once on this thread.
///
/// A run that finds no room for a running attempt is repeated with twice the room; `make_recorder`
/// is asked for a recorder anew each time. A run that passes the horizon, or has more than
/// EventKey::max_slots attempts at once, returns with that status and no totals worth reading.
template <class Queue, class Capacity, class Team, class MakeRecorder, class... QueueArgs>
Outcome run_plan(const Plan& plan,
                 HeadRule head_rule,
                 Team team,
                 Workspace& workspace,
                 MakeRecorder make_recorder,
                 const QueueArgs&... queue_args) {
    const PlanView view = view_of(plan);
    while (true) {
        const std::uint32_t max_live = workspace.max_live(plan);
        using Memory = RunMemory<Queue, Capacity>;
        ArenaCarver measure{nullptr};
        Memory::lay_out(measure, view, max_live, queue_args...);
        ArenaCarver carver{workspace.reserve(measure.used())};
        Memory* memory = Memory::lay_out(carver, view, max_live, queue_args...);

        auto& recorder = make_recorder();
        Loop<Queue, Capacity, Team, std::remove_reference_t<decltype(recorder)>> loop{
            view, head_rule, memory->state, memory->queue, memory->capacity, team, recorder};
        loop.run();
        if (memory->state.status != RunStatus::arena_full || max_live == EventKey::max_slots)
            return make_outcome(plan, memory->state, memory->queue.num_jobs());
        workspace.make_more_room(max_live);
    }
}

} // namespace bursar
