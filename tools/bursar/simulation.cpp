#include "tools/bursar/simulation.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "reports/summary/figures.hpp"

#include "tools/bursar/progress.hpp"
#include "tools/bursar/version.hpp"

namespace bursar {
namespace {

using Clock = std::chrono::steady_clock;

std::uint64_t peak_rss_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024; // Linux counts in KiB
}

RunFacts facts_of(const Scenario& scenario, const Compiled& compiled, std::uint64_t seed) {
    RunFacts facts;
    facts.version = version;
    facts.scenario_name = scenario.name;
    facts.scenario_hash = scenario.hash;
    facts.seed = seed;
    const PolicySpec& policy = scenario.policy;
    facts.policy = {policy.queue, policy.head, policy.capacity, policy.placement, policy.broker};
    for (const PoolSpec& pool : scenario.fleet)
        facts.price_basis.push_back(pool.price_basis);
    for (const Finding& warning : scenario.warnings)
        facts.warnings.push_back(warning.text());
    for (const std::string& warning : compiled.warnings)
        facts.warnings.push_back(warning);
    facts.assumed = scenario.assumed;
    facts.assumed.insert(facts.assumed.end(), compiled.assumed.begin(), compiled.assumed.end());
    facts.unmodelled = scenario.unmodelled;
    facts.trace_notes = compiled.trace_notes;
    return facts;
}

Result run_seed(const Scenario& scenario,
                const Catalogue& catalogue,
                std::uint64_t seed,
                Record record,
                Workspace& workspace) {
    const Compiled compiled = compile(scenario, catalogue, load_workload(scenario, seed));
    const PolicyChoice choice = choice_of(scenario);
    RunFacts facts = facts_of(scenario, compiled, seed);
    Run run;
    {
        Progress progress{compiled.plan.num_jobs()};
        const Clock::time_point begin = Clock::now();
        const JobOrder order = order_for(compiled.plan, choice);
        facts.policy_time = Clock::now() - begin;
        run = simulate(compiled.plan, order, choice, record, workspace, progress.finished_jobs());
        facts.wall = Clock::now() - begin;
    }
    if (run.outcome.status == RunStatus::horizon_exceeded) {
        throw SimulationError{fmt::format("{}: a job would end more than 34.8 years (2^40 ms) "
                                          "after the first submit; give `until`",
                                          scenario.file)};
    }
    if (run.outcome.status == RunStatus::arena_full) {
        throw SimulationError{
            fmt::format("{}: more than {} jobs run at once", scenario.file, EventKey::max_slots)};
    }
    facts.peak_rss_bytes = peak_rss_bytes();
    return make_result(
        compiled.plan, compiled.labels, run.outcome, run.jobs, run.timeline, std::move(facts));
}

} // namespace

PolicyChoice choice_of(const Scenario& scenario) {
    const PolicySpec& policy = scenario.policy;
    return {policy.queue,
            policy.head == head_skip ? HeadRule::skip : HeadRule::block,
            policy.capacity,
            policy.placement};
}

Result simulate_scenario(const Scenario& scenario,
                         const Catalogue& catalogue,
                         std::optional<std::int64_t> wanted_seed,
                         Record record) {
    const bool random = std::holds_alternative<SyntheticSpec>(scenario.workload);
    const std::uint64_t seed = first_seed(scenario, wanted_seed);
    Workspace workspace;
    Result result = run_seed(scenario, catalogue, seed, record, workspace);
    // Without anything random every seed gives the same run: the scenario was warned about, run
    // once.
    if (scenario.seeds == 1 || !random)
        return result;
    std::vector<std::vector<Scalar>> runs{scalars(result)};
    for (std::int64_t i = 1; i < scenario.seeds; ++i) {
        runs.push_back(scalars(run_seed(
            scenario, catalogue, seed + static_cast<std::uint64_t>(i), Record::jobs, workspace)));
    }
    result.repeats = repeats_over(runs);
    return result;
}

} // namespace bursar
