#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "policies/runs/simulate.hpp"

#include "reports/result/result.hpp"

#include "tools/simulate/budget_acts.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar { inline namespace tools {

/// How a compiled run is made.
struct RunSetup {
    const CompiledRun& compiled;
    Record record{};
    Workspace& workspace;
    std::atomic<std::uint64_t>* done{};
    std::vector<ResultBudget> budgets{};  ///< where some act; else none
    std::optional<BucketWidth> buckets{}; ///< that the ledger is divided by
    MadeAhead* made{};                    ///< the first simulation; null: it is made here
};

/// A run. `longer` is its plan where that had to be drawn further than it was compiled.
struct DrawnRun {
    Run run;
    std::optional<Plan> longer{};
};

/// A run, and the limits that were acted on in it.
struct ActedRun {
    DrawnRun drawn;
    std::optional<Plan> settled{}; ///< with the prices that it pays, where they follow from it
    std::vector<BudgetAct> acts{};

    [[nodiscard]] const Plan& plan_of(const CompiledRun& run) const {
        return drawn.longer ? *drawn.longer : run.compiled->plan;
    }
    [[nodiscard]] const Plan& billed_plan_of(const CompiledRun& run) const {
        return settled ? *settled : plan_of(run);
    }
};

/// Runs a plan again for every limit that it reaches and did not act on yet. Throws
/// SimulationError.
[[nodiscard]] ActedRun simulate_and_act(const RunSetup& setup, const JobOrder& order);

}} // namespace bursar::tools
