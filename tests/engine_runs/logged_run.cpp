#include "tests/policies/properties/logged_run.hpp"

#include <cassert>

#include "policies/simulate.hpp"

#include "tests/engine_runs/instances.hpp"
#include "tests/plan_builder.hpp"

namespace bursar::test {

LoggedRun run_logged(const Plan& plan, const PolicyChoice& choice) {
    LoggedRun run{{}, AttemptLog{plan}};
    Workspace workspace{1}; // grows on the way: every run is also a test of the doubling
    run.outcome =
        simulate_watched(plan, order_for(plan, choice), choice, workspace, run.log).outcome;
    return run;
}

bool lanes_serve(const PolicyChoice& choice) {
    if (choice.capacity == capacity_count)
        return true;
    const EngineChoice resolved = engine_choice(plan_of({{0, 1, 1}}, {pool_of(1, 1)}), choice);
    return std::holds_alternative<FixedOrder>(resolved.rule);
}

Outcome run_on_lanes(const Plan& plan, const JobOrder& order, const PolicyChoice& choice) {
    assert(lanes_serve(choice));
    const EngineChoice resolved = engine_choice(plan, choice);
    Workspace workspace;
    NullRecorder none;
    const auto make_recorder = [&]() -> NullRecorder& { return none; };
    if (resolved.capacity != CapacityKind::count)
        return run_lanes_on_nodes(plan, order, resolved, workspace, make_recorder);
    return run_choice_on<CapacityKind::count, EmulatedWarp, NullRecorder>(
        plan, order, resolved, workspace, make_recorder);
}

Outcome run_on_lanes(const Plan& plan, const PolicyChoice& choice) {
    return run_on_lanes(plan, order_for(plan, choice), choice);
}

} // namespace bursar::test
