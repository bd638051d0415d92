#include "scenarios/compile/compile.hpp"

#include <utility>

#include "scenarios/compile/compiled/fleet_plan.hpp"
#include "scenarios/compile/features.hpp"
#include "scenarios/compile/features/prices.hpp"
#include "scenarios/compile/jobs/compile_jobs.hpp"
#include "scenarios/compile/places/locality_plan.hpp"
#include "scenarios/compile/speeds/job_format.hpp"
#include "scenarios/compile/static_checks.hpp"
#include "scenarios/errors/fail_input.hpp"

namespace bursar { inline namespace scenarios {
namespace {

/// End of the run; absent: it ends with its last job. Throws ScenarioError if `until: last-submit`
/// leaves nothing to run or to measure.
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

} // namespace

Compiled compile(const Scenario& scenario, const Catalogue& catalogue, const Trace& trace) {
    check_cluster_format(scenario, catalogue);
    const CompileInput input{scenario, catalogue, trace.zero_utc_ms};
    Compiled compiled;
    Plan& plan = compiled.plan;
    plan_fleet(scenario, plan, compiled.labels);
    for (const Feature& feature : features())
        if (feature.plan_pools != nullptr)
            feature.plan_pools(input, compiled);
    const LocalityPlan places{scenario, catalogue, plan, compiled.labels};
    compile_jobs(scenario, catalogue, places, trace, compiled);
    compiled.notes.add({.assumed = later_formats(scenario, catalogue)});
    plan.until = end_of_run(scenario, plan);
    plan.measure_from = scenario.measure_from;
    plan.measure_to = scenario.measure_to;
    for (const Feature& feature : features())
        if (feature.plan_jobs != nullptr)
            feature.plan_jobs(input, compiled);
    const Duration until = first_drawn_until(plan);
    if (has_world(scenario) || draws_prices(scenario))
        compiled.drawn_until = until;
    draw({scenario, trace.zero_utc_ms, until}, plan);
    compiled.notes.add({.warnings = static_checks(scenario, compiled)});
    compiled.notes.add({.warnings = cold_start(scenario, trace)});
    for (const Feature& feature : features())
        if (feature.notes != nullptr)
            compiled.notes.add(feature.notes(input, compiled));
    return compiled;
}

}} // namespace bursar::scenarios
