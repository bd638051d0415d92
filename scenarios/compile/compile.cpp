#include "scenarios/compile/compile.hpp"

#include <algorithm>
#include <iterator>

#include "scenarios/compile/fleet_plan.hpp"
#include "scenarios/compile/foreseen.hpp"
#include "scenarios/compile/jobs/compile_jobs.hpp"
#include "scenarios/compile/places/locality_plan.hpp"
#include "scenarios/compile/speeds/job_format.hpp"
#include "scenarios/compile/world/broker_plan.hpp"
#include "scenarios/compile/world/end_of_run.hpp"
#include "scenarios/compile/world/energy_plan.hpp"
#include "scenarios/compile/world/gang_risks.hpp"
#include "scenarios/compile/world/job_failure_plan.hpp"
#include "scenarios/compile/world/price_plan.hpp"
#include "scenarios/compile/world/provisioning_plan.hpp"
#include "scenarios/compile/world/straggler_plan.hpp"
#include "scenarios/compile/world/world_plan.hpp"

namespace bursar { inline namespace scenarios {
namespace {

void append(std::vector<std::string> more, std::vector<std::string>& to) {
    std::ranges::move(more, std::back_inserter(to));
}

} // namespace

Compiled compile(const Scenario& scenario, const Catalogue& catalogue, const Trace& trace) {
    check_cluster_format(scenario, catalogue);
    Compiled compiled;
    plan_fleet(scenario, compiled.plan, compiled.labels);
    plan_provisioning(scenario, compiled.plan);
    EnergyNotes energy = plan_energy(scenario, catalogue, trace.zero_utc_ms, compiled.plan);
    compiled.grids = std::move(energy.grids);
    plan_regions(scenario, compiled.plan);
    const LocalityPlan places{scenario, catalogue, compiled.plan, compiled.labels};
    compile_jobs(scenario, catalogue, places, trace, compiled);
    append(later_formats(scenario, catalogue), compiled.assumed);
    plan_stragglers(scenario, compiled);
    plan_job_failures(scenario, catalogue, compiled);
    plan_egress(scenario, compiled.scenario_class, compiled.plan);
    compiled.plan.until = end_of_run(scenario, compiled.plan);
    compiled.plan.measure_from = scenario.measure_from;
    compiled.plan.measure_to = scenario.measure_to;
    const Duration drawn_until = compiled.plan.until.value_or(first_horizon(compiled.plan));
    if (has_world(scenario) || draws_prices(scenario))
        compiled.drawn_until = drawn_until;
    plan_prices(scenario, trace.zero_utc_ms, drawn_until, compiled.plan);
    if (has_world(scenario)) {
        compiled.plan.world =
            world_events(scenario, compiled.plan, compiled.labels.zero_utc_ms, drawn_until);
        set_first_nodes(scenario, compiled.plan);
    }
    append(foreseen(scenario, compiled), compiled.warnings);
    plan_gang_risks(scenario, trace.zero_utc_ms, drawn_until, compiled.plan);
    plan_broker(scenario, compiled.plan);
    append(world_warnings(scenario, compiled.plan.until), compiled.warnings);
    append(world_notes(scenario, compiled.labels.zero_utc_ms), compiled.assumed);
    append(energy.assumed, compiled.assumed);
    compiled.unmodelled = std::move(energy.unmodelled);
    append(energy.warnings, compiled.warnings);
    return compiled;
}

}} // namespace bursar::scenarios
