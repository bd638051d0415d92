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
    OnProgress on_progress{}; ///< for the runs that are made
    std::optional<std::vector<std::size_t>> runs{}; ///< runs to make, by number; absent: those of
                                                    ///< the shard
    /// As ManyRuns::ahead.
    std::function<void(std::span<CompiledRun* const>, std::size_t num_after)> ahead{};
};

/// The planned runs, as a store takes them; none has ended.
[[nodiscard]] SweepTable planned_table(const SweepPlan& plan);

/// Makes those runs that the store does not have, usually of the shard, and adds each as it ends. A
/// run that its scenario makes impossible, or that is pruned, is a row with the reason. A failure
/// of the machine, such as a full disk, is thrown; ended runs stay in the store.
void run_sweep(const SweepPlan& plan, SweepStore& store, const SweepRunning& running);

}} // namespace bursar::tools
