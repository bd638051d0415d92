#include "tests/engine_runs/instances.hpp"

namespace bursar::test {

Outcome run_lanes_on_nodes(const Plan& plan,
                           const JobOrder& order,
                           const EngineChoice& choice,
                           Workspace& workspace,
                           const std::function<NullRecorder&()>& make_recorder) {
    Outcome outcome;
    const auto run = [&]<class Types>(Types) {
        outcome = run_types<Types, EmulatedWarp, NullRecorder>(
            plan, order, choice, workspace, make_recorder);
    };
    constexpr CapacityKind plain = CapacityKind::plain_nodes;
    if (choice.pass == PassKind::arrivals) // these two run on plain nodes alone
        with_capacity_types<plain, Always<PlainPass>::template On, ArrivalCursor>(run);
    else if (choice.pass == PassKind::easy)
        with_capacity_types<plain, EasyPassOn, LengthQueue>(run);
    else
        with_fixed_types<CapacityKind::full_nodes>(choice.pass, run);
    return outcome;
}

} // namespace bursar::test
