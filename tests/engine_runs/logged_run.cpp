#include "tests/policies/properties/logged_run.hpp"

#include <cassert>
#include <utility>

#include "policies/runs/engine_choice.hpp"
#include "policies/runs/simulate.hpp"

#include "tests/engine_runs/lane_device.hpp"
#include "tests/plan_builder.hpp"

namespace bursar::test {

LoggedRun run_logged(const Plan& plan, const PolicyChoice& choice) {
    LoggedRun run{{}, AttemptLog{plan}};
    Workspace workspace{1}; // grows on the way: every run is also a test of the doubling
    Run ended = simulate_watched(plan, order_for(plan, choice), choice, workspace, run.log);
    run.outcome = std::move(ended.outcome);
    run.staged = std::move(ended.jobs.staged);
    return run;
}

bool lanes_serve(const Plan& plan, const PolicyChoice& choice) {
    return LaneDevice{}.serves(engine_choice(plan, choice));
}

bool lanes_serve(const PolicyChoice& choice) {
    return lanes_serve(plan_of({{0, 1, 1}}, {pool_of(1, 1)}), choice);
}

Outcome run_on_lanes(const Plan& plan, const JobOrder& order, const PolicyChoice& choice) {
    assert(lanes_serve(plan, choice));
    LaneDevice device;
    Outcome answer;
    const BatchRequest request{&plan, &order, choice};
    run_batch(
        device, {&request, 1}, [&](std::size_t, Run run) { answer = std::move(run.outcome); });
    return answer;
}

Outcome run_on_lanes(const Plan& plan, const PolicyChoice& choice) {
    return run_on_lanes(plan, order_for(plan, choice), choice);
}

} // namespace bursar::test
