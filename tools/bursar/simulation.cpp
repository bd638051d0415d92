#include "tools/bursar/simulation.hpp"

#include <chrono>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>

#include "policies/catalog.hpp"

#include "scenarios/compile/workload.hpp"
#include "scenarios/scenario/policy_text.hpp"

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
    facts.policy = labels_of(scenario);
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

} // namespace

PolicyLabels labels_of(const Scenario& scenario) {
    const PolicyChoice& policy = scenario.policy;
    const auto label =
        [](std::string_view slot, std::string_view name, const PolicyOptions& options) {
            for (const PolicyInfo& info : policies_of(slot))
                if (info.name == name)
                    return policy_text(info, options);
            return std::string{name};
        };
    PolicyLabels labels;
    labels.queue = label("queue", policy.queue, policy.queue_options);
    labels.head = name_of(head_of(policy));
    labels.capacity = policy.capacity;
    labels.placement = label("placement", policy.placement, policy.placement_options);
    labels.broker = label("broker", policy.broker, policy.broker_options);
    labels.backfill = label("backfill", policy.backfill, policy.backfill_options);
    labels.preemption = label("preemption", preemption_of(policy), policy.preemption_options);
    labels.estimates = label("estimates", policy.estimates, policy.estimates_options);
    if (policy.quantum > Duration{})
        labels.rounds = duration_text(policy.quantum);
    labels.preset = scenario.preset;
    return labels;
}

Result run_seed(const Scenario& scenario,
                const Catalogue& catalogue,
                std::uint64_t seed,
                Record record,
                Workspace& workspace,
                bool with_progress) {
    Scenario seeded = scenario;
    seeded.policy.seed = seed;
    const PolicyChoice& choice = seeded.policy;
    const Compiled compiled = compile(seeded, catalogue, load_workload(seeded, seed));
    RunFacts facts = facts_of(seeded, compiled, seed);
    Run run;
    {
        std::optional<ProgressLine> progress;
        if (with_progress)
            progress.emplace(compiled.plan.num_jobs(), "jobs");
        const Clock::time_point begin = Clock::now();
        const JobOrder order = order_for(compiled.plan, choice);
        facts.policy_time = Clock::now() - begin;
        run = simulate(
            compiled.plan, order, choice, record, workspace, progress ? progress->done() : nullptr);
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

Result simulate_scenario(const Scenario& scenario,
                         const Catalogue& catalogue,
                         std::optional<std::int64_t> wanted_seed,
                         Record record) {
    const std::uint64_t seed = first_seed(scenario, wanted_seed);
    Workspace workspace;
    Result result = run_seed(scenario, catalogue, seed, record, workspace, true);
    // Without anything random every seed gives the same run: the scenario was warned about, run
    // once.
    if (scenario.seeds == 1 || !is_random(scenario))
        return result;
    std::vector<std::vector<Scalar>> runs{scalars(result)};
    for (std::int64_t i = 1; i < scenario.seeds; ++i) {
        runs.push_back(scalars(run_seed(scenario,
                                        catalogue,
                                        seed + static_cast<std::uint64_t>(i),
                                        Record::jobs,
                                        workspace,
                                        true)));
    }
    result.repeats = repeats_over(runs);
    return result;
}

} // namespace bursar
