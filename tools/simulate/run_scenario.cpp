#include "tools/simulate/run_scenario.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "policies/round_limit.hpp"

#include "scenarios/compile/world/energy_plan.hpp"
#include "scenarios/compile/world/price_plan.hpp"
#include "scenarios/compile/world/supply_plan.hpp"

#include "reports/bill/budgets.hpp"
#include "reports/result/add_grids.hpp"
#include "reports/result/add_periods.hpp"
#include "reports/result/add_places.hpp"
#include "reports/scalars/scalars.hpp"

#include "tools/simulate/acted_run.hpp"
#include "tools/simulate/broker_beliefs.hpp"
#include "tools/simulate/budget_acts.hpp"
#include "tools/simulate/budget_facts.hpp"
#include "tools/simulate/checkpoint_costs.hpp"
#include "tools/simulate/give_back_in_run.hpp"
#include "tools/simulate/measured_time.hpp"
#include "tools/simulate/modelled_runs.hpp"
#include "tools/simulate/other_costs.hpp"
#include "tools/simulate/run_facts.hpp"
#include "tools/simulate/simulation_error.hpp"
#include "tools/simulate/standing_nodes.hpp"
#include "tools/simulate/stranded_jobs.hpp"

namespace bursar { inline namespace tools {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t peak_rss_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024; // Linux counts in KiB
}

/// Adds what changing grids emitted: from the ledger of the same run at their intensities. plan: as
/// drawn, without the acts.
void add_grids(const RunSetup& setup,
               const Plan& plan,
               const std::vector<BudgetAct>& acts,
               Result& result) {
    const CompiledRun& run = setup.compiled;
    const std::vector<GridSeries>& grids = run.compiled->grids;
    if (grids.empty())
        return;
    const PolicyChoice& choice = run.scenario.policy;
    const Plan at = at_intensities(grids, plan);
    const Plan acted = with_acts(setup, at, acts);
    Outcome outcome = simulate_ledger(acted, order_for(acted, choice), choice, setup.workspace);
    if (run.own_end)
        give_back_in_run(acted, *run.own_end, choice, setup.workspace, outcome);
    if (outcome.fingerprint != result.fingerprint)
        throw SimulationError{fmt::format("{}: a defect of bursar: what a grid emits changed what "
                                          "the run does",
                                          run.scenario.file)};
    add_grids(grids, outcome, result);
}

void append(std::vector<std::string> more, std::vector<std::string>& to) {
    std::ranges::move(more, std::back_inserter(to));
}

} // namespace

std::shared_ptr<const Compiled>
compile_plan(const Scenario& scenario, const Catalogue& catalogue, Workloads& workloads) {
    Compiled compiled = compile(scenario, catalogue, *workloads.of(scenario, scenario.policy.seed));
    check_budgets(scenario, compiled.labels);
    if (!give_own_shapes(budgets_of(scenario, compiled.labels), compiled.plan))
        throw SimulationError{fmt::format("{}: budgets.then: more than 65,535 kinds of jobs once "
                                          "those of tenants with a budget are told apart",
                                          scenario.file)};
    return std::make_shared<const Compiled>(std::move(compiled));
}

CompiledRun compile_run(const LoadedScenario& loaded, std::uint64_t seed) {
    CompiledRun run{loaded.scenario, {}};
    run.scenario.policy.seed = seed;
    run.compiled = compile_plan(run.scenario, *loaded.catalogue, *loaded.workloads);
    return run;
}

std::string why_not_ahead(const CompiledRun& run) {
    if (budgets_act(run.scenario) || !run.own_acts.empty())
        return "limits that act are found in a timeline, which GPUs keep none of";
    if (spends_over_time(run.scenario))
        return "spending over time is read off a timeline, which GPUs keep none of";
    if (run.own_end)
        return "what is given back at its own end is worked out on the host";
    return round_limit(run.compiled->plan, run.scenario.policy).value_or(std::string{});
}

ActedResult run_and_act(const CompiledRun& run,
                        Record record,
                        Workspace& workspace,
                        const OnProgress& on_progress) {
    const Compiled& compiled = *run.compiled;
    const PolicyChoice& choice = run.scenario.policy;
    RunFacts facts = facts_of(run.scenario, compiled);
    const bool acts = budgets_act(run.scenario);
    const bool is_shown = !run.own_end || record == Record::timeline; // else runs are compared
    const bool spends = spends_over_time(run.scenario) && is_shown;
    std::optional<BucketWidth> buckets;
    if (record == Record::timeline && !run.own_end) // what is given back at an own end has no hour
        buckets = hours_from(compiled.labels.zero_utc_ms);
    if (spends || acts)
        record = Record::timeline;
    RunSetup setup{run, record, workspace, nullptr};
    setup.buckets = buckets;
    if (acts)
        setup.budgets = budgets_of(run.scenario, compiled.labels);
    ActedRun acted;
    {
        ProgressWatch progress{compiled.plan.num_jobs(), on_progress};
        const Clock::time_point begin = Clock::now();
        if (const auto limit = round_limit(compiled.plan, choice))
            throw SimulationError{fmt::format("{}: policy.rounds: {}", run.scenario.file, *limit)};
        if (record == Record::jobs && why_not_ahead(run).empty())
            setup.made = run.made.get();
        const bool is_made = setup.made != nullptr && setup.made->run;
        const JobOrder own_order = is_made ? JobOrder{} : order_for(compiled.plan, choice);
        facts.policy_time = Clock::now() - begin;
        setup.done = progress.done();
        acted = simulate_and_act(setup, is_made ? setup.made->order : own_order);
        facts.wall = Clock::now() - begin;
        if (is_made)
            facts.wall += setup.made->wall;
    }
    Run& left = acted.drawn.run;
    const Plan& plan = acted.plan_of(run);
    const Plan& billed_plan = acted.billed_plan_of(run);
    if (run.own_end)
        give_back_in_run(with_acts(setup, billed_plan, acted.acts),
                         *run.own_end,
                         choice,
                         workspace,
                         left.outcome);
    for (std::size_t pool = 0; pool < run.scenario.fleet.size(); ++pool)
        if (auto warning =
                supply_warning(run.scenario, pool, compiled.labels.zero_utc_ms, left.outcome.end))
            facts.warnings.push_back(std::move(*warning));
    if (auto warning = stranded_jobs(compiled.plan,
                                     compiled.labels,
                                     left,
                                     acted.acts.empty() ? Stranded::for_good : Stranded::by_budget))
        facts.warnings.push_back(std::move(*warning));
    facts.peak_rss_bytes = peak_rss_bytes();
    const Duration run_end = run.own_end.value_or(left.outcome.end);
    append(price_warnings(run.scenario, compiled.labels.zero_utc_ms, run_end), facts.warnings);
    append(unmodelled_prices(run.scenario, plan, run_end), facts.unmodelled);
    append(assumed_prices(run.scenario, plan, run_end), facts.assumed);
    append(grid_warnings(run.scenario, compiled.labels.zero_utc_ms, run_end), facts.warnings);
    append(assumed_grids(run.scenario, compiled.labels.zero_utc_ms, run_end), facts.assumed);
    add_checkpoint_costs(run.scenario, compiled, left.outcome, left.jobs, facts);
    if (spends || acts)
        add_budgets(run.scenario, compiled.labels, acted.acts, left.outcome.end, facts);
    Result result = make_result(
        billed_plan, compiled.labels, left.outcome, left.jobs, left.timeline, std::move(facts));
    if (is_shown)
        add_places(left.places, result);
    if (buckets)
        add_periods(left.by_time, left.outcome, result);
    count_stopped_jobs(result);
    add_grids(setup, plan, acted.acts, result);
    note_modelled(compiled, result);
    note_beliefs(run.scenario, plan, result);
    add_other_costs(run, billed_plan, left.paid, result);
    return {std::move(result), std::move(acted.acts), standing_nodes(plan, left.paid)};
}

Result run_compiled(const CompiledRun& run,
                    Record record,
                    Workspace& workspace,
                    const OnProgress& on_progress) {
    return run_and_act(run, record, workspace, on_progress).result;
}

PastEnd past_end(const CompiledRun& run, const ActedResult& acted) {
    RunEnds ends{{}, run.own_end, acted.standing};
    if (run.own_end || !run.compiled->plan.until)
        ends.last_submit = Duration{run.compiled->plan.submit_ms.back()};
    return past_end(acted.result, ends);
}

namespace {

/// The result of a run, with what its end decides of its bill.
Result run_to_end(const CompiledRun& run,
                  Record record,
                  Workspace& workspace,
                  const OnProgress& on_progress) {
    ActedResult acted = run_and_act(run, record, workspace, on_progress);
    for (std::string& warning : past_end_warnings(past_end(run, acted)))
        acted.result.run.warnings.push_back(std::move(warning));
    return std::move(acted.result);
}

} // namespace

Result run_alone(const CompiledRun& run, const RunSettings& settings) {
    Workspace workspace;
    Result result = run_to_end(run, settings.record, workspace, settings.on_progress);
    check_measured(run.scenario, result.end);
    return result;
}

Result run_scenario(LoadedScenario loaded, const RunSettings& settings) {
    const std::uint64_t seed = first_seed(loaded.scenario, settings.seed);
    const std::int64_t seeds = is_random(loaded.scenario) ? loaded.scenario.seeds : 1;
    Workspace workspace;
    const auto run = [&](std::int64_t i, Record record) {
        const CompiledRun compiled = compile_run(loaded, seed + static_cast<std::uint64_t>(i));
        if (i + 1 == seeds)
            loaded.workloads.reset();
        return run_to_end(compiled, record, workspace, settings.on_progress);
    };
    Result result = run(0, settings.record);
    check_measured(loaded.scenario, result.end);
    if (seeds == 1)
        return result;
    std::vector<std::vector<Scalar>> runs{scalars(result)};
    count_exceeded(result, result.run.budgets);
    for (std::int64_t i = 1; i < seeds; ++i) {
        const Result other = run(i, Record::jobs);
        runs.push_back(scalars(other));
        count_exceeded(other, result.run.budgets);
    }
    result.repeats = repeats_over(runs);
    return result;
}

}} // namespace bursar::tools
