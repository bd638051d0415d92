#include "tests/policies/properties/logged_run.hpp"

#include "tests/engine_runs/instances.hpp"

namespace bursar::test {

LoggedRun run_logged(const Plan& plan, const PolicyChoice& choice) {
    LoggedRun run{{}, AttemptLog{plan}};
    Workspace workspace;
    run.outcome = run_choice<OneLane, AttemptLog>(
        plan,
        order_for(plan, choice),
        engine_choice(plan, choice),
        workspace,
        [&]() -> AttemptLog& { return run.log = AttemptLog{plan}; });
    return run;
}

Outcome run_on_lanes(const Plan& plan, const PolicyChoice& choice) {
    NullRecorder none;
    Workspace workspace;
    return run_choice<StridedLanes, NullRecorder>(plan,
                                                  order_for(plan, choice),
                                                  engine_choice(plan, choice),
                                                  workspace,
                                                  [&]() -> NullRecorder& { return none; });
}

} // namespace bursar::test
