#pragma once

#include <cstdint>

#include <benchmark/benchmark.h>

#include "policies/runs/simulate.hpp"

namespace bursar { inline namespace tools { namespace bench {

/// One run and the ordering before it. Not inlined, so that callgrind can count inside it
/// (cost_per_action).
[[gnu::noinline]] inline Outcome
order_and_run(const Plan& plan, const PolicyChoice& choice, Workspace& workspace) {
    return simulate_ledger(plan, order_for(plan, choice), choice, workspace);
}

/// Arrivals, starts, stops (by the pass or the world) and ends of a run that left no job behind.
inline std::uint64_t num_actions(const Outcome& outcome) {
    const std::uint64_t arrivals = outcome.num_finished;
    const std::uint64_t stops = outcome.num_started - outcome.num_finished;
    return arrivals + outcome.num_started + stops + outcome.num_finished;
}

/// Jobs per second, actions of one run, and the time of each.
inline void report(benchmark::State& state, std::size_t num_jobs, std::uint64_t actions) {
    const auto runs = static_cast<double>(state.iterations());
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(num_jobs));
    state.counters["actions"] = static_cast<double>(actions);
    state.counters["time_per_action"] =
        benchmark::Counter(runs * static_cast<double>(actions),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}}} // namespace bursar::tools::bench
