#include "tests/engine_runs/instances.hpp"

namespace bursar::test {

Outcome run_lanes_on_nodes(const Plan& plan,
                           const JobOrder& order,
                           const EngineChoice& choice,
                           Workspace& workspace,
                           const std::function<NullRecorder&()>& make_recorder) {
    Outcome outcome;
    with_fixed_types<CapacityKind::full_nodes>(choice.pass, [&]<class Types>(Types) {
        outcome = run_types<Types, StridedLanes, NullRecorder>(
            plan, order, choice, workspace, make_recorder);
    });
    return outcome;
}

} // namespace bursar::test
