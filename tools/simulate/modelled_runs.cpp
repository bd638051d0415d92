#include "tools/simulate/modelled_runs.hpp"

#include <limits>
#include <map>
#include <utility>

namespace bursar { inline namespace tools {

void note_modelled(const Compiled& compiled, Result& result) {
    constexpr std::size_t max_listed = std::numeric_limits<std::uint16_t>::max();
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::uint16_t> numbers; // by class and pool
    for (const ModelledGang& gang : compiled.modelled) {
        if (result.modelled.size() == max_listed)
            return;
        result.modelled.push_back(
            {gang.model, gang.stack, gang.gpus, gang.pool, gang.run_time, gang.held_out_error});
        numbers[{gang.plan_class, gang.pool}] = static_cast<std::uint16_t>(result.modelled.size());
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

}} // namespace bursar::tools
