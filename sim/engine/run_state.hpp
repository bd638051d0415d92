#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/event_heap.hpp"
#include "sim/engine/live_attempts.hpp"
#include "sim/ledger/idle_split.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/record/outcome.hpp"

namespace bursar {

/// Everything one run changes, beside its queue and its capacity. Lives in the run's arena.
struct RunState {
    EventHeap events;
    LiveAttempts attempts;
    Ledger ledger;
    IdleSplit idle;

    std::int64_t now_ms{};
    std::uint32_t next_arrival{};
    std::uint64_t queue_gpus{};
    RunStatus status{RunStatus::ok};

    std::uint64_t num_events{};
    std::uint64_t num_started{};
    std::uint64_t num_finished{};
    std::uint64_t finish_hashes{};
};

/// Lays out (or, with a measuring carver, measures) a run's mutable state.
BURSAR_HD inline RunState
carve_run_state(ArenaCarver& carver, const PlanView& plan, std::uint32_t max_live) {
    RunState state;
    state.events = EventHeap{carver, max_live};
    state.attempts = LiveAttempts{carver, max_live};
    state.ledger = Ledger{carver, plan};
    state.idle = IdleSplit{carver, plan};
    return state;
}

} // namespace bursar
