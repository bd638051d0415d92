#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/engine/loop.hpp"
#include "sim/engine/run_memory.hpp"
#include "sim/engine/team.hpp"
#include "sim/record/outcome.hpp"

namespace bursar {

/// Memory that runs reuse one after the other: an arena, and how many running attempts it had to
/// hold.
class Workspace {
  public:
    static constexpr std::uint32_t default_max_live = 1U << 14U;

    explicit Workspace(std::uint32_t max_live = default_max_live) : max_live_{max_live} {}

    [[nodiscard]] std::uint32_t max_live() const { return max_live_; }
    void double_max_live() { max_live_ *= 2; }

    /// A block of at least `size` bytes; its content is unspecified.
    [[nodiscard]] std::byte* reserve(std::size_t size) {
        const std::size_t units = size / sizeof(Unit) + 1;
        if (block_.size() < units) {
            block_.clear();
            block_.resize(units);
        }
        return reinterpret_cast<std::byte*>(block_.data());
    }

  private:
    /// One cache line, so that the arena's pieces start on their natural alignment.
    struct alignas(64) Unit {
        std::byte bytes[64];
    };

    std::uint32_t max_live_;
    std::vector<Unit> block_;
};

/// Reads a finished run's state out into an Outcome, with what is billed past the end of the run.
Outcome make_outcome(const Plan& plan, RunState& state, std::uint32_t num_queued);

/// Runs `plan` once on this thread.
///
/// The arena starts with room for `workspace.max_live()` running attempts and is doubled, and the
/// run repeated, until it is large enough; `recorder` is asked for anew each time. A run that
/// passes the horizon returns with that status and no totals worth reading.
template <class Queue, class Capacity, class Team, class MakeRecorder, class... QueueArgs>
Outcome run_plan(const Plan& plan,
                 HeadRule head_rule,
                 Team team,
                 Workspace& workspace,
                 MakeRecorder make_recorder,
                 const QueueArgs&... queue_args) {
    const PlanView view = view_of(plan);
    while (true) {
        const std::uint32_t max_live = std::min(workspace.max_live(), EventKey::max_slots);
        using Memory = RunMemory<Queue, Capacity>;
        ArenaCarver measure{nullptr};
        Memory::carve(measure, view, max_live, queue_args...);
        ArenaCarver carver{workspace.reserve(measure.used())};
        Memory memory = Memory::carve(carver, view, max_live, queue_args...);
        memory.clear();

        auto& recorder = make_recorder();
        Loop<Queue, Capacity, Team, std::remove_reference_t<decltype(recorder)>> loop{
            view, head_rule, memory.state, memory.queue, memory.capacity, team, recorder};
        loop.run();
        if (memory.state.status != RunStatus::arena_full || max_live == EventKey::max_slots) {
            return make_outcome(plan, memory.state, memory.queue.num_jobs());
        }
        workspace.double_max_live();
    }
}

} // namespace bursar
