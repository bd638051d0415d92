#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tools/simulate/many_runs.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar { inline namespace tools {

/// When a run ends by itself, and when what is compared with it may end.
struct RunEnd {
    std::optional<Duration> own; ///< absent: the scenario says when
    Duration common;
    std::vector<BudgetAct> acts; ///< with `own`: the limits that were acted on until then
};

/// The runs of a comparison: seed by seed, each variant.
class PairedRuns {
  public:
    /// threads: >= 1. on_progress: outlives this.
    PairedRuns(std::uint64_t first_seed,
               std::uint64_t seeds,
               std::size_t threads,
               const OnProgress& on_progress)
        : first_seed_{first_seed}, seeds_{seeds}, threads_{threads}, on_progress_{on_progress} {}

    /// Hands each run, with its place in their order, to `take`: from several threads, in any
    /// order. ends: by run, or empty.
    template <class Take>
    void each(const std::vector<LoadedScenario>& scenarios,
              const std::vector<RunEnd>& ends,
              Record record,
              const Take& take) const {
        std::vector<PlannedRun> runs;
        for (std::uint64_t seed = 0; seed < seeds_; ++seed)
            for (std::size_t i = 0; i < scenarios.size(); ++i)
                runs.push_back(planned_run(i, scenarios[i].scenario, first_seed_ + seed));
        make_runs(runs,
                  {.threads = threads_,
                   .on_progress = on_progress_,
                   .load = [&](std::size_t i) { return scenarios[i]; },
                   .run =
                       [&](std::size_t i, CompiledRun run, Workspace& workspace) {
                           if (!ends.empty()) {
                               run.own_end = ends[i].own;
                               run.own_acts = ends[i].acts;
                           }
                           take(i, run, run_and_act(run, record, workspace));
                       }});
    }

    /// What `reduce` makes of each run, by its place in their order, and its result; in that order.
    template <class Reduce>
    [[nodiscard]] auto over(const std::vector<LoadedScenario>& scenarios,
                            const std::vector<RunEnd>& ends,
                            Record record,
                            const Reduce& reduce) const {
        std::vector<std::invoke_result_t<Reduce, std::size_t, const CompiledRun&, ActedResult>>
            reduced(static_cast<std::size_t>(seeds_) * scenarios.size());
        each(
            scenarios, ends, record, [&](std::size_t i, const CompiledRun& run, ActedResult acted) {
                reduced[i] = reduce(i, run, std::move(acted));
            });
        return reduced;
    }

  private:
    std::uint64_t first_seed_;
    std::uint64_t seeds_;
    std::size_t threads_;
    const OnProgress& on_progress_;
};

}} // namespace bursar::tools
