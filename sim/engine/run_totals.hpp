#pragma once

#include <cstdint>

#include "sim/engine/state/run_state.hpp"
#include "sim/record/outcome.hpp"

namespace bursar { inline namespace sim {

/// The numbers of a finished run that belong to no pool: as Outcome has them.
struct RunTotals {
    RunStatus status{};
    std::int64_t end_ms{};
    std::uint64_t num_events{};
    std::uint64_t num_started{};
    std::uint64_t num_finished{};
    std::uint64_t num_preempted{};
    std::uint64_t num_preempted_without_progress{};
    std::uint64_t num_running_at_end{};
    std::uint64_t num_queued_at_end{};
    std::uint64_t num_reservations{};
    std::uint64_t finish_hashes{};
};

[[nodiscard]] BURSAR_HD inline RunTotals totals_of(const RunState& state,
                                                   std::uint32_t num_queued) {
    return {state.status,
            state.now_ms,
            state.num_events,
            state.num_started,
            state.num_finished,
            state.num_preempted,
            state.num_preempted_without_progress,
            state.num_running_at_end,
            num_queued,
            state.num_reservations,
            state.finish_hashes};
}

}} // namespace bursar::sim
