#include "tools/simulate/compare_variants.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/record/fingerprint.hpp"

#include "reports/bill/past_end.hpp"
#include "reports/scalars/scalars.hpp"
#include "reports/summary/sentences.hpp"
#include "reports/summary/uncertainty.hpp"

#include "tools/simulate/budget_facts.hpp"
#include "tools/simulate/build_version.hpp"
#include "tools/simulate/many_runs.hpp"
#include "tools/simulate/run_facts.hpp"
#include "tools/simulate/run_scenario.hpp"

namespace bursar { inline namespace tools {
namespace {

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
    /// order.
    template <class Take>
    void each(const std::vector<LoadedScenario>& scenarios, Record record, const Take& take) const {
        std::vector<PlannedRun> runs;
        for (std::uint64_t seed = 0; seed < seeds_; ++seed)
            for (std::size_t i = 0; i < scenarios.size(); ++i)
                runs.push_back(planned_run(i, scenarios[i].scenario, first_seed_ + seed));
        make_runs(runs,
                  {.threads = threads_,
                   .on_progress = on_progress_,
                   .load = [&](std::size_t i) { return scenarios[i]; },
                   .run =
                       [&](std::size_t i, const CompiledRun& run, Workspace& workspace) {
                           take(i, run, run_and_act(run, record, workspace));
                       }});
    }

    /// What `reduce` makes of each run, by its place in their order, and its result; in that order.
    template <class Reduce>
    [[nodiscard]] auto
    over(const std::vector<LoadedScenario>& scenarios, Record record, const Reduce& reduce) const {
        std::vector<std::invoke_result_t<Reduce, std::size_t, const CompiledRun&, ActedResult>>
            reduced(static_cast<std::size_t>(seeds_) * scenarios.size());
        each(scenarios, record, [&](std::size_t i, const CompiledRun& run, ActedResult acted) {
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

WorkloadHashes workload_hashes(const Plan& plan) {
    WorkloadHashes out;
    const auto add = [](std::uint64_t& hash, std::int64_t number) {
        hash = chain_hash(hash, static_cast<std::uint64_t>(number));
    };
    for (std::size_t job = 0; job < plan.num_jobs(); ++job) {
        add(out.jobs, plan.submit_ms[job]);
        add(out.jobs, plan.gpus(job));
        add(out.work, plan.work_ms[job]);
        add(out.reference, plan.work_ms[job]);
    }
    std::set<std::int64_t> speeds; // each once: pools of one GPU have the same
    speeds.insert(reference_speed);
    for (std::size_t i = 0; i < plan.speeds.size(); ++i)
        if (i % plan.num_paces() < plan.num_levels) // slow nodes are the world's
            speeds.insert(plan.speeds[i].speed);
    for (const std::int64_t speed : speeds)
        add(out.work, speed);
    return out;
}

/// What a comparison keeps of a run.
struct KeptRun {
    std::uint64_t fingerprint{};
    std::vector<Scalar> scalars;
    FinishedJobs finished;
    std::string gpus;
    WorkloadHashes workload;
    RunEnding ending;
    Caveats caveats;
    PastEnd past_end;
    std::set<std::size_t> spent;         ///< which of its scenario's budgets were acted on
    std::vector<ResultBudget> budgets{}; ///< with how many seeds exceeded each: this one, or none
    std::optional<JobTimes>
        times{}; ///< of runs of the first seed, as max_variants_with_job_changes has it
    std::vector<TenantWait> tenants{}; ///< of runs of the first seed
    std::optional<std::vector<ModelledError>> model_errors{};
};

KeptRun kept(const CompiledRun& run, const ActedResult& acted) {
    const Result& result = acted.result;
    const RunFacts& facts = result.run;
    KeptRun out{result.fingerprint,
                scalars(result),
                finished_jobs(result),
                gpus_of(result),
                workload_hashes(run.compiled->plan),
                ending_of(run, result),
                {facts.warnings,
                 facts.decisive,
                 uncertainty_sentences(result),
                 facts.assumed,
                 facts.unmodelled},
                past_end(run, acted),
                {}};
    out.model_errors = modelled_errors(result);
    for (const BudgetAct& act : acted.acts)
        out.spent.insert(act.budget);
    if (const std::string unpriced = unpriced_sentence(result); !unpriced.empty())
        out.caveats.warnings.push_back("unpriced: " + unpriced);
    return out;
}

/// errors: of one run; sums: of those before it.
void add_errors(const std::vector<ModelledError>& errors, std::vector<ModelledError>& sums) {
    for (const ModelledError& error : errors) {
        auto place = std::ranges::find(sums, error.of, &ModelledError::of);
        if (place == sums.end())
            place = sums.insert(sums.end(), {error.of, 0});
        place->usd += error.usd;
    }
}

void add(KeptRun run, ComparedVariant& variant) {
    variant.fingerprints.push_back(run.fingerprint);
    variant.runs.push_back(std::move(run.scalars));
    variant.finished.push_back(run.finished);
    variant.gpus = std::move(run.gpus);
    variant.workloads.push_back(run.workload);
    variant.endings.push_back(std::move(run.ending));
    variant.knows_model_errors = variant.knows_model_errors && run.model_errors;
    if (run.model_errors)
        add_errors(*run.model_errors, variant.model_errors);
    if (variant.runs.size() == 1) { // the jobs of other seeds differ, their run times do not
        variant.caveats.uncertain = std::move(run.caveats.uncertain);
        variant.tenants = std::move(run.tenants);
    }
    for (const auto kind :
         {&Caveats::warnings, &Caveats::decisive, &Caveats::assumed, &Caveats::unmodelled})
        for (std::string& text : run.caveats.*kind)
            if (std::ranges::find(variant.caveats.*kind, text) == (variant.caveats.*kind).end())
                (variant.caveats.*kind).push_back(std::move(text));
}

/// past_ends: by variant, of its runs.
void tell_past_ends(const std::vector<std::vector<PastEnd>>& past_ends, Comparison& comparison) {
    std::vector<PastEnd> means;
    for (const std::vector<PastEnd>& runs : past_ends)
        means.push_back(mean_of(runs));
    auto warnings = past_end_warnings(std::span<const PastEnd>{means});
    for (std::size_t i = 0; i < warnings.size(); ++i)
        std::ranges::move(warnings[i], std::back_inserter(comparison.variants[i].caveats.warnings));
}

/// Says which budgets changed what the runs of a variant do. runs: of the variant.
void tell_budgets(const Scenario& scenario,
                  const std::vector<std::set<std::size_t>>& runs,
                  ComparedVariant& variant) {
    for (std::size_t i = 0; i < scenario.budgets.size(); ++i) {
        const auto num = static_cast<std::size_t>(
            std::ranges::count_if(runs, [&](const auto& spent) { return spent.contains(i); }));
        if (num == 0)
            continue;
        const std::string seeds =
            num == runs.size() ? "" : fmt::format(" with {} of {} seeds", num, runs.size());
        variant.caveats.warnings.push_back(spent_sentence(scenario.budgets[i]) + seeds);
    }
}

/// Says which variants only count GPUs, where others place gangs on nodes: what they differ in is
/// then not the varied setting alone.
void tell_capacities_apart(const std::vector<Variant>& variants,
                           const std::vector<LoadedScenario>& scenarios,
                           Comparison& comparison) {
    std::string counting;
    std::string on_nodes;
    for (std::size_t i = 0; i < variants.size(); ++i) {
        std::string& labels =
            scenarios[i].scenario.policy.capacity == "count" ? counting : on_nodes;
        labels += (labels.empty() ? "" : "; ") + variants[i].label;
    }
    if (counting.empty() || on_nodes.empty())
        return;
    for (ComparedVariant& variant : comparison.variants)
        variant.caveats.warnings.push_back(
            fmt::format("variants differ in capacity: count, so no fragmentation and no placement, "
                        "in {}; nodes in {}",
                        counting,
                        on_nodes));
}

/// budgets: of one run; counted: of those before it, empty for the first.
void add_exceeded(const std::vector<ResultBudget>& budgets, std::vector<ResultBudget>& counted) {
    if (counted.empty())
        counted = budgets;
    else
        for (std::size_t i = 0; i < budgets.size(); ++i)
            counted[i].seeds_exceeded += budgets[i].seeds_exceeded;
}

ComparedVariant described(const Variant& variant, const Scenario& scenario) {
    ComparedVariant described;
    described.label = variant.label;
    described.scenario_hash = scenario.hash;
    for (const Override& set : variant.sets)
        described.settings.emplace_back(set.path, set.value);
    return described;
}

/// budgets: whether they are counted.
std::vector<KeptRun>
make_kept_runs(const PairedRuns& runs, const std::vector<LoadedScenario>& scenarios, bool budgets) {
    const std::size_t with_jobs = std::min(scenarios.size(), 1 + max_variants_with_job_changes);
    return runs.over(scenarios,
                     budgets ? Record::timeline : Record::jobs,
                     [&](std::size_t i, const CompiledRun& run, const ActedResult& acted) {
                         KeptRun one = kept(run, acted);
                         if (i < with_jobs)
                             one.times = job_times(acted.result);
                         if (i < scenarios.size())
                             one.tenants = mean_waits(acted.result);
                         if (budgets) {
                             one.budgets = acted.result.run.budgets;
                             count_exceeded(acted.result, one.budgets);
                         }
                         return one;
                     });
}

/// Says what became of each job, run by run of the first seed.
void tell_jobs(const std::vector<KeptRun>& runs, Comparison& comparison) {
    for (std::size_t i = 1; i < comparison.variants.size() && runs[i].times; ++i)
        comparison.variants[i].jobs = job_changes(*runs.front().times, *runs[i].times);
}

/// Puts the runs into the comparison; gives the budgets of each variant, as report_results takes
/// them.
std::vector<std::vector<ResultBudget>> add_all(std::vector<KeptRun> runs,
                                               const std::vector<LoadedScenario>& scenarios,
                                               Comparison& comparison) {
    std::vector<std::vector<PastEnd>> past_ends(scenarios.size());
    std::vector<std::vector<std::set<std::size_t>>> spent(scenarios.size());
    std::vector<std::vector<ResultBudget>> budgets(scenarios.size());
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const std::size_t variant = i % scenarios.size();
        check_measured(scenarios[variant].scenario, runs[i].ending.end);
        past_ends[variant].push_back(runs[i].past_end);
        spent[variant].push_back(std::move(runs[i].spent));
        add_exceeded(runs[i].budgets, budgets[variant]);
        add(std::move(runs[i]), comparison.variants[variant]);
    }
    tell_past_ends(past_ends, comparison);
    for (ComparedVariant& variant : comparison.variants)
        for (ModelledError& error : variant.model_errors)
            error.usd /= static_cast<double>(variant.runs.size());
    for (std::size_t i = 0; i < scenarios.size(); ++i)
        tell_budgets(scenarios[i].scenario, spent[i], comparison.variants[i]);
    return budgets;
}

/// Makes the first run of each variant once more, with its timeline, and hands it to
/// `settings.on_result`: so no more results are held than there are threads.
///
/// budgets: by variant, as its runs have them, with how many of them exceeded each.
void report_results(const std::vector<LoadedScenario>& scenarios,
                    const std::vector<std::vector<ResultBudget>>& budgets,
                    const Comparison& comparison,
                    const CompareSettings& settings) {
    const PairedRuns first{comparison.first_seed, 1, settings.threads, settings.on_progress};
    const auto tell = [&](std::size_t i, const CompiledRun& run, ActedResult acted) {
        Result& result = acted.result;
        assert(result.fingerprint == comparison.variants[i].fingerprints.front());
        for (std::string& warning : past_end_warnings(past_end(run, acted)))
            result.run.warnings.push_back(std::move(warning));
        if (comparison.num_runs() > 1) {
            result.repeats = repeats_over(comparison.variants[i].runs);
            if (is_resampled(run.scenario))
                result.repeats = over_draws(std::move(*result.repeats));
            result.run.assumed.push_back(seeds_sentence(run.scenario));
            for (std::size_t k = 0; k < result.run.budgets.size(); ++k)
                result.run.budgets[k].seeds_exceeded = budgets[i][k].seeds_exceeded;
        }
        settings.on_result(i, result);
    };
    first.each(scenarios, Record::timeline, tell);
}

} // namespace

Comparison compare_variants(const std::vector<Variant>& variants,
                            const std::vector<LoadedScenario>& scenarios,
                            const CompareSettings& settings) {
    assert(variants.size() >= 2 && scenarios.size() == variants.size());
    const Scenario& base = scenarios.front().scenario;
    Comparison comparison;
    comparison.version = build_version;
    comparison.scenario_name = base.name;
    comparison.first_seed = first_seed(base, settings.seed);
    comparison.random =
        std::ranges::any_of(scenarios, [](const auto& one) { return is_random(one.scenario); });
    comparison.resampled = std::ranges::any_of(
        scenarios, [](const LoadedScenario& one) { return is_resampled(one.scenario); });
    for (std::size_t i = 0; i < variants.size(); ++i)
        comparison.variants.push_back(described(variants[i], scenarios[i].scenario));
    tell_capacities_apart(variants, scenarios, comparison);
    const std::int64_t seeds = comparison.random ? settings.seeds.value_or(base.seeds) : 1;
    const PairedRuns runs{comparison.first_seed,
                          static_cast<std::uint64_t>(seeds),
                          settings.threads,
                          settings.on_progress};
    const bool counts_budgets =
        settings.on_result && std::ranges::any_of(scenarios, [](const LoadedScenario& one) {
            return spends_over_time(one.scenario);
        });
    std::vector<KeptRun> kept_runs = make_kept_runs(runs, scenarios, counts_budgets);
    tell_jobs(kept_runs, comparison);
    const auto budgets = add_all(std::move(kept_runs), scenarios, comparison);
    for (std::size_t i = 0; i < variants.size() && seeds > 1; ++i)
        if (is_random(scenarios[i].scenario))
            comparison.variants[i].caveats.assumed.push_back(seeds_sentence(scenarios[i].scenario));
    work_out(comparison);
    if (settings.on_result)
        report_results(scenarios, budgets, comparison, settings);
    return comparison;
}

}} // namespace bursar::tools
