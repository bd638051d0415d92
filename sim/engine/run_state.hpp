#pragma once

#include <cstdint>

#include "sim/arena/arena.hpp"
#include "sim/engine/attempts/live_attempts.hpp"
#include "sim/engine/attempts/provisional_work.hpp"
#include "sim/ledger/idle_split.hpp"
#include "sim/ledger/ledger.hpp"
#include "sim/plan/plan_view.hpp"
#include "sim/record/outcome.hpp"

namespace bursar::inline sim {

/// What one run changes beside its events, its pass, its queue and its capacity. Lives in the run's
/// arena.
struct RunState {
    LiveAttempts attempts;
    Ledger ledger;
    ProvisionalWork provisional;
    IdleSplit idle;

    std::int64_t now_ms{};
    std::uint32_t next_arrival{};
    std::int64_t queue_slots{}; ///< that pending jobs ask for
    RunStatus status{RunStatus::ok};

    std::uint64_t num_events{};
    std::uint64_t num_started{};
    std::uint64_t num_finished{};
    std::uint64_t num_preempted{};
    std::uint64_t num_preempted_without_progress{}; ///< nothing of the attempt survived
    std::uint64_t num_running_at_end{};
    std::uint64_t num_reservations{};
    std::uint64_t finish_hashes{};
};

/// Lays out (or, with a measuring carver, measures) a run's mutable state. max_provisional: 0
/// where nothing is preempted.
BURSAR_HD inline RunState carve_run_state(ArenaCarver& carver,
                                          const PlanView& plan,
                                          std::uint32_t max_live,
                                          std::uint32_t max_provisional) {
    RunState state;
    state.attempts = LiveAttempts{carver, max_live};
    state.ledger = Ledger{carver, plan};
    state.provisional = ProvisionalWork{carver, max_provisional};
    state.idle = IdleSplit{carver, plan};
    return state;
}

} // namespace bursar::inline sim
