#include "tools/simulate/compare_variants.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <exception>
#include <thread>
#include <type_traits>
#include <utility>

#include "reports/scalars/scalars.hpp"

#include "tools/simulate/run_scenario.hpp"
#include "tools/simulate/version.hpp"

namespace bursar::inline tools {
namespace {

/// The runs of a comparison: seed by seed, each variant.
class PairedRuns {
  public:
    PairedRuns(std::uint64_t first_seed, std::uint64_t seeds, const CompareSettings& settings)
        : first_seed_{first_seed}, seeds_{seeds}, settings_{settings} {}

    /// What `reduce` makes of each run's result, in the order of the runs.
    template <class Reduce>
    auto over(const std::vector<LoadedScenario>& scenarios, const Reduce& reduce) const {
        const std::size_t num_runs = scenarios.size() * seeds_;
        std::vector<std::invoke_result_t<Reduce, const Result&>> reduced(num_runs);
        std::vector<std::exception_ptr> errors(num_runs);
        std::atomic<std::size_t> next{0};
        std::atomic<bool> failed{false};
        ProgressWatch progress{num_runs, settings_.on_progress};
        const auto work = [&] {
            Workspace workspace;
            while (!failed) {
                const std::size_t i = next++;
                if (i >= num_runs)
                    return;
                try {
                    const CompiledRun run = compile_run(scenarios[i % scenarios.size()],
                                                        first_seed_ + i / scenarios.size());
                    reduced[i] = reduce(run_compiled(run, Record::jobs, workspace));
                } catch (...) {
                    errors[i] = std::current_exception();
                    failed = true;
                }
                if (progress.done() != nullptr)
                    ++*progress.done();
            }
        };
        {
            std::vector<std::jthread> others;
            for (std::size_t i = 1; i < std::min(settings_.threads, num_runs); ++i)
                others.emplace_back(work);
            work();
        }
        // Runs are begun in order, so all before the first error have ended.
        for (const std::exception_ptr& error : errors)
            if (error)
                std::rethrow_exception(error);
        return reduced;
    }

  private:
    std::uint64_t first_seed_;
    std::uint64_t seeds_;
    const CompareSettings& settings_;
};

/// The latest end of all runs. A job of no length that is submitted then must still be run: what
/// would begin at the end of a run does not.
Duration common_end(const PairedRuns& runs, const std::vector<LoadedScenario>& scenarios) {
    const std::vector<Duration> ends = runs.over(scenarios, [](const Result& result) {
        const std::vector<std::int64_t>& submit_ms = result.jobs.submit_ms;
        return submit_ms.empty() ? result.end
                                 : std::max(result.end, Duration{submit_ms.back() + 1});
    });
    return std::max(Duration{1}, *std::ranges::max_element(ends));
}

/// What a comparison keeps of a run.
struct KeptRun {
    std::uint64_t fingerprint{};
    std::vector<Scalar> scalars;
    Duration end{};
    Caveats caveats;
};

KeptRun kept(const Result& result) {
    const RunFacts& facts = result.run;
    return {result.fingerprint,
            scalars(result),
            result.end,
            {facts.warnings, facts.assumed, facts.unmodelled}};
}

void add(KeptRun run, ComparedVariant& variant, Comparison& comparison) {
    variant.fingerprints.push_back(run.fingerprint);
    variant.runs.push_back(std::move(run.scalars));
    comparison.end = std::max(comparison.end, run.end);
    for (const auto kind : {&Caveats::warnings, &Caveats::assumed, &Caveats::unmodelled})
        for (std::string& text : run.caveats.*kind)
            if (std::ranges::find(variant.caveats.*kind, text) == (variant.caveats.*kind).end())
                (variant.caveats.*kind).push_back(std::move(text));
}

ComparedVariant described(const Variant& variant, const Scenario& scenario) {
    ComparedVariant described;
    described.label = variant.label;
    described.scenario_hash = scenario.hash;
    for (const Override& set : variant.sets)
        described.settings.emplace_back(set.path, set.value);
    return described;
}

} // namespace

Comparison compare_variants(const std::vector<Variant>& variants,
                            std::vector<LoadedScenario> scenarios,
                            const CompareSettings& settings) {
    assert(variants.size() >= 2 && scenarios.size() == variants.size());
    const Scenario& base = scenarios.front().scenario;
    Comparison comparison;
    comparison.version = version;
    comparison.scenario_name = base.name;
    comparison.first_seed = first_seed(base, settings.seed);
    comparison.random =
        std::ranges::any_of(scenarios, [](const auto& one) { return is_random(one.scenario); });
    for (std::size_t i = 0; i < variants.size(); ++i)
        comparison.variants.push_back(described(variants[i], scenarios[i].scenario));
    const std::int64_t seeds = comparison.random ? settings.seeds.value_or(base.seeds) : 1;
    const PairedRuns runs{comparison.first_seed, static_cast<std::uint64_t>(seeds), settings};
    comparison.ends_by_scenario = std::ranges::all_of(
        scenarios, [](const auto& one) { return one.scenario.until.has_value(); });
    if (!comparison.ends_by_scenario) {
        const Duration end = common_end(runs, scenarios);
        for (LoadedScenario& loaded : scenarios)
            loaded.scenario.until = end;
    }
    std::vector<KeptRun> kept_runs = runs.over(scenarios, kept);
    for (std::size_t i = 0; i < kept_runs.size(); ++i)
        add(std::move(kept_runs[i]), comparison.variants[i % variants.size()], comparison);
    work_out(comparison);
    return comparison;
}

} // namespace bursar::inline tools
