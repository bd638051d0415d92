#include "scenarios/compile/world/end_of_run.hpp"

#include <utility>

#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {

std::optional<Duration> end_of_run(const Scenario& scenario, const Plan& plan) {
    if (!scenario.until_last_submit)
        return scenario.until;
    const Duration last{plan.submit_ms.back()};
    const auto fail = [&](const char* path, Finding finding) {
        fail_input({scenario.file, 0, 0}, path, std::move(finding));
    };
    if (last == Duration{})
        fail("until",
             mistake("a run until last-submit would have no length",
                     "all jobs are submitted at its begin",
                     "give a duration, or remove it"));
    if (scenario.measure_from >= last)
        fail("measure.from", mistake("nothing is measured", "it is after the last submit"));
    if (scenario.measure_to && *scenario.measure_to > last)
        fail("measure.to", mistake("the measured time is longer than the run"));
    return last;
}

}} // namespace bursar::scenarios
