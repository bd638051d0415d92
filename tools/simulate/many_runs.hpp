#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>

#include "tools/simulate/load_scenario.hpp"
#include "tools/simulate/progress.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar { inline namespace tools {

/// One run of many, before anything of it is compiled.
struct PlannedRun {
    std::size_t scenario{}; ///< its number, as ManyRuns::load takes it
    std::uint64_t seed{};
    std::uint64_t plan_key{}; ///< of the scenario with that seed: equal ones share a plan
    double cost{1};           ///< estimate of what it takes, > 0; in no unit
};

/// As `runs` has them: with the key and the estimate of its scenario.
[[nodiscard]] PlannedRun
planned_run(std::size_t number, const Scenario& scenario, std::uint64_t seed);

/// How many runs are made. Functions are called by several threads at once.
struct ManyRuns {
    std::size_t threads{1};   ///< >= 1; what comes out is the same for any number
    OnProgress on_progress{}; ///< of the runs
    std::function<LoadedScenario(std::size_t scenario)> load;
    std::shared_ptr<const Compiled> compiled{}; ///< the plan of all runs; null: they are compiled
    /// Makes the first simulations of several runs together, ahead of `run`, on a device: it sets
    /// CompiledRun::made of those that it makes. By one thread; num_after: runs behind these.
    /// Empty: each run makes its own.
    std::function<void(std::span<CompiledRun* const> runs, std::size_t num_after)> ahead{};
    /// Makes the run out of its plan and keeps what it wants of it. i: its place in `runs`.
    std::function<void(std::size_t i, CompiledRun run, Workspace& workspace)> run;
    /// Gets the error of a run that throws. True: the others are still made. False: no more runs
    /// begin, and the error is thrown. Empty: the first of `runs` that throws ends them all, and
    /// its error is thrown; which one that is does not depend on the threads.
    std::function<bool(std::size_t i, const std::exception_ptr& error)> on_error{};
};

/// Makes all runs on threads. Runs that share a plan come one after the other, so no more plans are
/// held than there are threads. Plans with the longest runs in sum come first, and the longest runs
/// of each. With `ahead`, parts of all runs are made together before that: as many as fit into some
/// 2 GiB with their plans and rows.
///
/// Threads take the next run from one counter. Runs are independent and long, so work stealing
/// would gain nothing.
void make_runs(std::span<const PlannedRun> runs, const ManyRuns& how);

}} // namespace bursar::tools
