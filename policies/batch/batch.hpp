#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/batch/rows_image.hpp"
#include "sim/engine/queues/job_order_view.hpp"
#include "sim/engine/setup/run_options.hpp"
#include "sim/plan/plan_view.hpp"

#include "policies/runs/engine_choice.hpp"

namespace bursar { inline namespace policies {

/// One run of a batch. Its pointers are into the memory of the device that runs it.
struct BatchRun {
    const PlanView* plan{};
    JobOrderView order{};
    OrderRule rule{};
    RunOptions options{};
    ArenaSize size{};
    RowsRoom rows{};
    PlaceWatch watch{PlaceWatch::nothing}; ///< used if rows are kept
    const ShapeId* by_slots{};             ///< for PlaceClock
    std::byte* answer{};                   ///< space for an AnswerImage of the plan and `rows`
};

/// What makes a run on a GPU.
enum class TeamKind : std::uint8_t {
    warp, ///< its 32 lanes share the work of a run
    lane  ///< each lane makes another run
};

/// Runs of one engine instance; teams take the next one from a counter.
struct Batch {
    const BatchRun* runs{}; ///< those with the largest arenas first
    std::uint32_t num_runs{};
    std::uint32_t* num_taken{}; ///< 0 at first
    std::uint32_t num_teams{};  ///< at work at once
    std::byte* arenas{};        ///< one for each team, aligned as that of a Workspace
    std::size_t arena_bytes{};  ///< of each
};

}} // namespace bursar::policies
