#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "reports/sweep/sweep_table.hpp"

#include "tools/simulate/progress.hpp"
#include "tools/simulate/run_scenario.hpp"
#include "tools/sweep/sweep_plan.hpp"
#include "tools/sweep/sweep_store.hpp"

namespace bursar { inline namespace tools {

struct SweepRunning {
    Shard shard{};
    std::size_t threads{1};   ///< >= 1; the results are the same for any number
    OnProgress on_progress{}; ///< of the runs that are made
    std::optional<std::vector<std::size_t>> runs{}; ///< by number, in place of the shard's
    /// As ManyRuns::ahead.
    std::function<void(std::span<CompiledRun* const>, std::size_t num_after)> ahead{};
};

/// The runs of a plan as a store takes them, before any has ended.
[[nodiscard]] SweepTable planned_table(const SweepPlan& plan);

/// Makes those runs, usually of the shard, that the store does not have, and adds each as it ends.
/// A run that its scenario makes impossible, or that need not be made, is a row that says why; a
/// failure of the machine, such as a full disk, is thrown, and what has ended is in the store.
void run_sweep(const SweepPlan& plan, SweepStore& store, const SweepRunning& running);

}} // namespace bursar::tools
