#include "tools/simulate/run_scenario.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "policies/runs/simulate.hpp"

#include "scenarios/errors/fail_input.hpp"

#include "reports/bill/budgets.hpp"
#include "reports/result/add_periods.hpp"
#include "reports/result/add_places.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/instant.hpp"

#include "tools/simulate/acted_run.hpp"
#include "tools/simulate/budget_facts.hpp"
#include "tools/simulate/run_facts.hpp"
#include "tools/simulate/run_features.hpp"
#include "tools/simulate/simulation_error.hpp"
#include "tools/simulate/standing_nodes.hpp"

namespace bursar { inline namespace tools {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t peak_rss_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024; // Linux counts in KiB
}

/// How a run is made and recorded. With a timeline, the ledger is also divided by time.
RunSetup setup_of(const CompiledRun& run, Record record, Workspace& workspace, bool has_budgets) {
    RunSetup setup{run, has_budgets ? Record::timeline : record, workspace, nullptr};
    if (record == Record::timeline)
        setup.buckets = hours_from(run.compiled->labels.zero_utc_ms);
    if (budgets_act(run.scenario))
        setup.budgets = budgets_of(run.scenario, run.compiled->labels);
    if (setup.record == Record::jobs && why_not_ahead(run).empty())
        setup.made = run.made.get();
    return setup;
}

/// Simulates, and notes in `facts` how long that took.
ActedRun timed_run(RunSetup& setup, const OnProgress& on_progress, RunFacts& facts) {
    const CompiledRun& run = setup.compiled;
    const Plan& plan = run.compiled->plan;
    const PolicyChoice& choice = run.scenario.policy;
    ProgressWatch progress{plan.num_jobs(), on_progress};
    const Clock::time_point begin = Clock::now();
    if (const auto limit = round_limit(plan, choice))
        throw InputTooLarge{fmt::format("{}: policy.rounds: {}", run.scenario.file, *limit)};
    const bool is_made = setup.made != nullptr && setup.made->run;
    const JobOrder own_order = is_made ? JobOrder{} : order_for(plan, choice);
    facts.policy_time = Clock::now() - begin;
    setup.done = progress.done();
    ActedRun acted = simulate_and_act(setup, is_made ? setup.made->order : own_order);
    facts.wall = Clock::now() - begin;
    facts.policy_time += acted.drawn.run.allocator.time;
    if (is_made)
        facts.wall += setup.made->wall;
    return acted;
}

} // namespace

std::shared_ptr<const Compiled>
compile_plan(const Scenario& scenario, const Catalogue& catalogue, Workloads& workloads) {
    Compiled compiled = compile(scenario, catalogue, *workloads.of(scenario, scenario.policy.seed));
    check_budgets(scenario, compiled.labels);
    if (!give_own_shapes(budgets_of(scenario, compiled.labels), compiled.plan))
        throw InputTooLarge{fmt::format("{}: budgets.then: more than 65,535 kinds of jobs once "
                                        "those of tenants with a budget are distinguished",
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
    if (budgets_act(run.scenario))
        return "limits that act are found in a timeline, which GPUs keep none of";
    if (spends_over_time(run.scenario))
        return "spending over time is read off a timeline, which GPUs keep none of";
    if (run.compiled->plan.has_dependencies())
        return "jobs wait for others, and GPUs run no such plans";
    if (run.compiled->plan.staging.is_on())
        return "jobs stage data ahead of their start, and GPUs run no such plans";
    return round_limit(run.compiled->plan, run.scenario.policy).value_or(std::string{});
}

ActedResult run_and_act(const CompiledRun& run,
                        Record record,
                        Workspace& workspace,
                        const OnProgress& on_progress) {
    const bool has_budgets = spends_over_time(run.scenario) || budgets_act(run.scenario);
    RunSetup setup = setup_of(run, record, workspace, has_budgets);
    RunFacts facts = facts_of(run.scenario, *run.compiled);
    ActedRun acted = timed_run(setup, on_progress, facts);
    Run& left = acted.drawn.run;
    const Plan& billed_plan = acted.billed_plan_of(run);
    facts.peak_rss_bytes = peak_rss_bytes();
    Result result = make_result(billed_plan,
                                run.compiled->labels,
                                left.outcome,
                                left.jobs,
                                left.timeline,
                                std::move(facts));
    add_places(left.places, result);
    if (setup.buckets)
        add_periods(left.by_time, left.outcome, result);
    add_features({setup, acted, has_budgets}, result);
    std::vector<PaidNodes> standing = standing_nodes(acted.plan_of(run), left.paid);
    return {std::move(result), std::move(acted.acts), std::move(standing)};
}

Result run_compiled(const CompiledRun& run,
                    Record record,
                    Workspace& workspace,
                    const OnProgress& on_progress) {
    return run_and_act(run, record, workspace, on_progress).result;
}

RunEnding ending_of(const CompiledRun& run, const Result& result) {
    const Plan& plan = run.compiled->plan;
    RunEnding ending{result.end, !plan.until, plan.measure_to, {}};
    for (std::size_t i = 0; i < plan.pools.size(); ++i) {
        const PlanPool& pool = plan.pools[i];
        const bool launches = !plan.provisioning.empty() && !plan.provisioning[i].is_fixed;
        const bool is_kept =
            pool.purchase == Purchase::owned || pool.purchase == Purchase::reserved;
        if (is_kept && !launches)
            ending.kept.push_back({pool.purchase,
                                   pool.num_gpus(),
                                   pool.has_series() ? std::nullopt : std::optional{pool.rate},
                                   pool.billing_step});
    }
    return ending;
}

PastEnd past_end(const CompiledRun& run, const ActedResult& acted) {
    RunEnds ends{{}, acted.standing};
    if (!run.compiled->plan.until)
        ends.last_submit = Duration{run.compiled->plan.submit_ms.back()};
    return past_end(acted.result, ends);
}

namespace {

/// The result of a run, with warnings of what its end decides in its bill.
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
    result.repeats =
        is_resampled(loaded.scenario) ? over_draws(repeats_over(runs)) : repeats_over(runs);
    result.run.assumed.push_back(seeds_sentence(loaded.scenario));
    return result;
}

void check_measured(const Scenario& scenario, Duration end) {
    if (scenario.measure_from == Duration{} || scenario.measure_from < end)
        return;
    fail_input(scenario.places.measure,
               "measure",
               mistake("nothing is measured",
                       fmt::format("it begins after {}, and the run ends after {}",
                                   span_text(scenario.measure_from),
                                   span_text(end)),
                       "begin earlier, or give `until`"));
}

}} // namespace bursar::tools
