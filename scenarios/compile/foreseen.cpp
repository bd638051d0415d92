#include "scenarios/compile/foreseen.hpp"

#include "scenarios/compile/jobs/starved_jobs.hpp"
#include "scenarios/compile/jobs/tight_deadlines.hpp"
#include "scenarios/compile/world/unsaved_notice.hpp"

namespace bursar { inline namespace scenarios {

std::vector<std::string> foreseen(const Scenario& scenario, const Compiled& compiled) {
    std::vector<std::string> out = starved_jobs(scenario, compiled.plan, compiled.labels);
    for (const std::vector<std::string>& more :
         {tight_deadlines(scenario, compiled), unsaved_notices(scenario, compiled)})
        out.insert(out.end(), more.begin(), more.end());
    return out;
}

}} // namespace bursar::scenarios
