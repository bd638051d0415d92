#include "tools/simulate/modelled_runs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "sim/plan/plan_view.hpp"

namespace bursar::inline tools {

void note_modelled(const Scenario& scenario, const Compiled& compiled, Result& result) {
    constexpr std::size_t max_listed = std::numeric_limits<std::uint16_t>::max();
    std::map<std::pair<std::uint16_t, std::size_t>, std::uint16_t> numbers; // by class and pool
    for (const TrainedGang& gang : compiled.trained)
        for (const TrainedOn& on : gang.pools) {
            if (result.modelled.size() == max_listed)
                return;
            const double ms =
                std::min(std::ceil(on.total().count() * 1000.0), static_cast<double>(horizon_ms));
            result.modelled.push_back(
                {std::string{name(*scenario.classes[gang.job_class].training.model)},
                 on.stack,
                 static_cast<std::uint32_t>(on.gpus),
                 static_cast<std::uint32_t>(on.pool),
                 Duration{static_cast<std::int64_t>(ms)},
                 on.held_out_error});
            numbers[{gang.plan_class, on.pool}] =
                static_cast<std::uint16_t>(result.modelled.size());
        }
    if (numbers.empty())
        return;
    result.jobs.modelled.resize(result.jobs.size());
    for (std::size_t job = 0; job < result.jobs.size(); ++job) {
        const auto found = numbers.find({compiled.plan.job_class[job], result.jobs.pool[job]});
        if (has_started(result.jobs.state[job]) && found != numbers.end())
            result.jobs.modelled[job] = found->second;
    }
}

} // namespace bursar::inline tools
