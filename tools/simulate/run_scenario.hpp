#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "policies/runs/simulate.hpp"

#include "scenarios/compile/compile.hpp"

#include "reports/bill/past_end.hpp"
#include "reports/result/result.hpp"
#include "reports/scalars/common_end.hpp"

#include "tools/simulate/budget_acts.hpp"
#include "tools/simulate/load_scenario.hpp"
#include "tools/simulate/progress.hpp"

namespace bursar { inline namespace tools {

struct RunSettings {
    std::optional<std::int64_t> seed{}; ///< of the first run, >= 0; absent: the scenario's own
    Record record{Record::jobs};        ///< Record::timeline where the timeline will be looked at
    OnProgress on_progress{};           ///< of the jobs of each run
};

/// Runs a scenario once per seed that it asks for, or once where nothing in it is random. The
/// result is that of the first seed; `repeats` in it covers all of them. Equal scenarios give equal
/// results, except for times and memory.
///
/// loaded: moved in, its trace gives its memory back as soon as no run needs it any more.
/// Throws ScenarioError, SimulationError.
[[nodiscard]] Result run_scenario(LoadedScenario loaded, const RunSettings& settings = {});

/// The first simulation of a compiled run, made ahead of it together with others, on a device.
struct MadeAhead {
    JobOrder order;
    std::optional<Run> run{};        ///< as simulate() has it under Record::jobs; absent: not made
    std::chrono::nanoseconds wall{}; ///< its share of the time of all
};

/// A scenario compiled for one seed.
struct CompiledRun {
    Scenario scenario;                        ///< with the seed in its policy
    std::shared_ptr<const Compiled> compiled; ///< never null; of all scenarios of one plan_key()
    std::shared_ptr<MadeAhead> made{};        ///< null: the run makes all of its simulations

    [[nodiscard]] std::uint64_t seed() const { return scenario.policy.seed; }
};

/// Throws ScenarioError: the workload cannot be read, or has jobs that can never run.
[[nodiscard]] CompiledRun compile_run(const LoadedScenario& loaded, std::uint64_t seed);

/// The plan of such a run. scenario: with the seed in its policy. Throws as compile_run.
[[nodiscard]] std::shared_ptr<const Compiled>
compile_plan(const Scenario& scenario, const Catalogue& catalogue, Workloads& workloads);

/// Why a device cannot make the first simulation of a run under Record::jobs; empty: it can.
[[nodiscard]] std::string why_not_ahead(const CompiledRun& run);

/// A run, with what its result does not hold.
struct ActedResult {
    Result result;
    std::vector<BudgetAct> acts;     ///< the limits that were acted on
    std::vector<PaidNodes> standing; ///< nodes of ranges that stay without demand
};

/// One run, without warnings of what its end decides in its bill. workspace: one per thread, kept
/// from run to run to save allocations. Throws SimulationError.
[[nodiscard]] ActedResult run_and_act(const CompiledRun& run,
                                      Record record,
                                      Workspace& workspace,
                                      const OnProgress& on_progress = {});

/// Its result alone.
[[nodiscard]] Result run_compiled(const CompiledRun& run,
                                  Record record,
                                  Workspace& workspace,
                                  const OnProgress& on_progress = {});

/// One run as run_scenario has it: a compiled scenario of its own. Throws SimulationError, and
/// ScenarioError where the measured time lies behind its end.
[[nodiscard]] Result run_alone(const CompiledRun& run, const RunSettings& settings = {});

/// When a run ended, and the capacity that is paid for after that.
[[nodiscard]] RunEnding ending_of(const CompiledRun& run, const Result& result);

/// What in the bill of such a run depends on when it ends.
[[nodiscard]] PastEnd past_end(const CompiledRun& run, const ActedResult& acted);

/// Throws ScenarioError where `measure` begins after the run's end: its bill would be 0 USD.
void check_measured(const Scenario& scenario, Duration end);

}} // namespace bursar::tools
