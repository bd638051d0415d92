#include "tools/simulate/run_scenario.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "sim/engine/attempts/event_key.hpp"
#include "sim/record/give_back.hpp"
#include "sim/record/needs_more_world.hpp"

#include "policies/round_limit.hpp"

#include "scenarios/compile/world/broker_plan.hpp"
#include "scenarios/compile/world/energy_plan.hpp"
#include "scenarios/compile/world/price_plan.hpp"
#include "scenarios/compile/world/supply_plan.hpp"
#include "scenarios/compile/world/world_plan.hpp"

#include "reports/bill/budgets.hpp"
#include "reports/result/add_grids.hpp"
#include "reports/result/add_periods.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/text/decimal.hpp"

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

namespace bursar::inline tools {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t peak_rss_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024; // Linux counts in KiB
}

void throw_if_unfinished(const Run& run, const std::string& file) {
    if (run.outcome.status == RunStatus::horizon_exceeded)
        throw SimulationError{fmt::format("{}: a job would end more than 34.8 years (2^40 ms) "
                                          "after the first submit, as one does that loses all it "
                                          "has done at every stop; give `until`, or save more "
                                          "often (`checkpoint`)",
                                          file)};
    if (run.outcome.status == RunStatus::too_many_preemptions)
        throw SimulationError{
            fmt::format("{}: more than {} preemptions, which is as many as are kept; "
                        "give longer `rounds`, or limit preemption by `min_run` or "
                        "`max_per_job`",
                        file,
                        grouped_text(max_preemptions, 0))};
    if (run.outcome.status == RunStatus::arena_full)
        throw SimulationError{
            fmt::format("{}: more than {} jobs run at once", file, EventKey::max_slots)};
}

/// A run, with its plan where that had to be drawn further than it was compiled.
struct DrawnRun {
    Run run;
    std::optional<Plan> longer{};
};

/// How a compiled run is made.
struct RunSetup {
    const CompiledRun& compiled;
    Record record{};
    Workspace& workspace;
    std::atomic<std::uint64_t>* done{};
    std::vector<ResultBudget> budgets{};  ///< where some act; else none
    std::optional<BucketWidth> buckets{}; ///< that the ledger is divided by
};

/// Whether nodes end with a run, which goes on to a common end.
bool ends_nodes(const RunSetup& setup, const Plan& plan) {
    return setup.compiled.own_end && !plan.provisioning.empty();
}

/// The plan of a run, with the limits that are acted on in it, and its own end behind them: those
/// who are stopped at that instant have left their nodes.
Plan with_acts(const RunSetup& setup, Plan plan, const std::vector<BudgetAct>& acts) {
    act_on(setup.budgets, acts, !setup.compiled.own_end, plan);
    if (ends_nodes(setup, plan))
        end_launched_nodes(plan, *setup.compiled.own_end);
    return plan;
}

Run simulate_once(const RunSetup& setup,
                  const Plan& plan,
                  const JobOrder& order,
                  const std::vector<BudgetAct>& acts) {
    const PolicyChoice& choice = setup.compiled.scenario.policy;
    if (setup.done != nullptr)
        *setup.done = 0;
    if (acts.empty() && !ends_nodes(setup, plan))
        return simulate(
            plan, order, choice, setup.record, setup.workspace, setup.done, setup.buckets);
    const Plan acted = with_acts(setup, plan, acts);
    return simulate(acted,
                    order_for(acted, choice), // the world may be what moves it
                    choice,
                    setup.record,
                    setup.workspace,
                    setup.done,
                    setup.buckets);
}

/// The run of a plan, whose world and prices are drawn twice as far for as long as that could
/// change it. What has been drawn stays as it is, so that a longer world begins with the shorter
/// one.
DrawnRun simulate_in_world(const RunSetup& setup,
                           const Plan& plan,
                           const JobOrder& order,
                           const std::vector<BudgetAct>& acts) {
    const Compiled& compiled = *setup.compiled.compiled;
    const Scenario& scenario = setup.compiled.scenario;
    DrawnRun out{simulate_once(setup, plan, order, acts)};
    if (!compiled.drawn_until || plan.until)
        return out;
    const bool closes = std::ranges::any_of(
        acts, [&](const BudgetAct& act) { return closes_run(setup.budgets[act.budget], act); });
    const std::optional<std::int64_t>& zero_utc_ms = compiled.labels.zero_utc_ms;
    const auto needs_prices = [&](Duration until) {
        return draws_prices(scenario) && out.run.outcome.end >= until;
    };
    const auto needs_world = [&](Duration until) {
        return has_world(scenario) && needs_more_world(out.run.outcome, until, closes);
    };
    Duration until = *compiled.drawn_until;
    while (until < Duration{horizon_ms} && (needs_prices(until) || needs_world(until))) {
        if (!out.longer)
            out.longer = plan;
        const std::size_t num_events = out.longer->world.size();
        bool is_more = needs_prices(until);
        until = std::min(2 * until, Duration{horizon_ms});
        plan_prices(scenario, zero_utc_ms, until, *out.longer);
        out.longer->world.clear();
        if (has_world(scenario))
            out.longer->world = world_events(scenario, *out.longer, zero_utc_ms, until);
        plan_broker(scenario, *out.longer);
        is_more = is_more || out.longer->world.size() != num_events;
        if (is_more)
            out.run = simulate_once(setup, *out.longer, order, acts);
    }
    return out;
}

/// The plan of a run whose prices follow from how its nodes came and went, and the same run at
/// those: nothing in it is different but what it costs.
std::optional<Plan> settle(const RunSetup& setup,
                           const JobOrder& order,
                           const std::vector<BudgetAct>& acts,
                           DrawnRun& drawn) {
    const CompiledRun& run = setup.compiled;
    if (!prices_follow_use(run.scenario))
        return std::nullopt;
    Plan settled = drawn.longer ? *drawn.longer : run.compiled->plan;
    settle_prices(run.scenario, drawn.run.paid, settled);
    const std::uint64_t fingerprint = drawn.run.outcome.fingerprint;
    drawn.run = simulate_once(setup, settled, order, acts);
    if (drawn.run.outcome.fingerprint != fingerprint)
        throw std::logic_error{"a run at settled prices is another run"};
    return settled;
}

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

/// Runs a plan for as long as it reaches another limit, which the next run acts on; once where it
/// is known which it reaches.
ActedRun simulate_and_act(const RunSetup& setup, const JobOrder& order) {
    const CompiledRun& run = setup.compiled;
    const Labels& labels = run.compiled->labels;
    ActedRun out;
    out.acts = run.own_acts;
    while (true) {
        out.drawn = simulate_in_world(setup, run.compiled->plan, order, out.acts);
        throw_if_unfinished(out.drawn.run, run.scenario.file);
        out.settled = settle(setup, order, out.acts, out.drawn);
        if (setup.budgets.empty() || run.own_end)
            return out;
        const Run& left = out.drawn.run;
        const Result result = make_result(
            out.billed_plan_of(run), labels, left.outcome, left.jobs, left.timeline, {});
        auto act = next_act(
            result, setup.budgets, whole_months(run.scenario, labels, result.end), out.acts);
        if (!act || act->at > result.end) // an act may be what ended it
            return out;
        out.acts.push_back(std::move(*act));
    }
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
        const JobOrder order = order_for(compiled.plan, choice);
        facts.policy_time = Clock::now() - begin;
        setup.done = progress.done();
        acted = simulate_and_act(setup, order);
        facts.wall = Clock::now() - begin;
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

} // namespace bursar::inline tools
