#include "tools/bursar/compare_runs.hpp"

#include <algorithm>
#include <utility>

#include "reports/summary/figures.hpp"

#include "tools/bursar/progress.hpp"
#include "tools/bursar/simulation.hpp"
#include "tools/bursar/version.hpp"

namespace bursar {
namespace {

/// The runs of a comparison, one after the other.
class PairedRuns {
  public:
    PairedRuns(const Catalogue& catalogue, std::uint64_t first_seed, std::uint64_t seeds)
        : catalogue_{catalogue}, first_seed_{first_seed}, seeds_{seeds} {}

    /// Calls use(variant, result) for each run, with progress on a terminal.
    template <class Use>
    void over(const std::vector<Scenario>& scenarios, Record record, const Use& use) {
        ProgressLine progress{scenarios.size() * seeds_, "runs"};
        for (std::uint64_t seed = first_seed_; seed < first_seed_ + seeds_; ++seed)
            for (std::size_t i = 0; i < scenarios.size(); ++i) {
                use(i, run_seed(scenarios[i], catalogue_, seed, record, workspace_, false));
                if (progress.done() != nullptr)
                    ++*progress.done();
            }
    }

  private:
    const Catalogue& catalogue_;
    std::uint64_t first_seed_;
    std::uint64_t seeds_;
    Workspace workspace_;
};

/// The latest end of all runs. A job of no length that is submitted then must still be run: what
/// would begin at the end of a run does not.
Duration common_end(PairedRuns& runs, const std::vector<Scenario>& scenarios) {
    Duration end{1};
    runs.over(scenarios, Record::jobs, [&](std::size_t, const Result& result) {
        end = std::max(end, result.end);
        if (!result.jobs.submit_ms.empty())
            end = std::max(end, Duration{result.jobs.submit_ms.back() + 1});
    });
    return end;
}

void add_warnings(const Result& result, Comparison& comparison) {
    for (const std::string& warning : result.run.warnings)
        if (std::ranges::find(comparison.warnings, warning) == comparison.warnings.end())
            comparison.warnings.push_back(warning);
}

} // namespace

Comparison compare_variants(const std::vector<Variant>& variants,
                            std::vector<Scenario> scenarios,
                            const Catalogue& catalogue,
                            std::uint64_t first_seed,
                            std::uint64_t seeds) {
    Comparison comparison;
    comparison.version = version;
    comparison.scenario_name = scenarios.front().name;
    comparison.first_seed = first_seed;
    comparison.random = std::ranges::any_of(scenarios, is_random);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        ComparedVariant& variant = comparison.variants.emplace_back();
        variant.label = variants[i].label;
        variant.scenario_hash = scenarios[i].hash;
        for (const Override& set : variants[i].sets)
            variant.settings.emplace_back(set.path, set.value);
    }
    PairedRuns runs{catalogue, first_seed, comparison.random ? seeds : 1};
    comparison.ends_by_scenario =
        std::ranges::all_of(scenarios, [](const Scenario& one) { return one.until.has_value(); });
    if (!comparison.ends_by_scenario) {
        const Duration end = common_end(runs, scenarios);
        for (Scenario& scenario : scenarios)
            scenario.until = end;
    }
    runs.over(scenarios, Record::jobs, [&](std::size_t i, const Result& result) {
        ComparedVariant& variant = comparison.variants[i];
        variant.fingerprints.push_back(result.fingerprint);
        variant.runs.push_back(scalars(result));
        comparison.end = std::max(comparison.end, result.end);
        add_warnings(result, comparison);
    });
    work_out(comparison);
    return comparison;
}

} // namespace bursar
