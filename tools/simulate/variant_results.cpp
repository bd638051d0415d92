#include "tools/simulate/variant_results.hpp"

#include <cassert>
#include <cstddef>
#include <utility>

#include "reports/bill/past_end.hpp"

namespace bursar { inline namespace tools {

void tell_results(const std::vector<LoadedScenario>& scenarios,
                  const std::vector<RunEnd>& ends,
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
            result.repeats = comparison.variants[i].values;
            for (std::size_t k = 0; k < result.run.budgets.size(); ++k)
                result.run.budgets[k].seeds_exceeded = budgets[i][k].seeds_exceeded;
        }
        settings.on_result(i, result);
    };
    first.each(scenarios, ends, Record::timeline, tell);
}

}} // namespace bursar::tools
