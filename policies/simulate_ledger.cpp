#include "policies/simulate_ledger.hpp"

#include "sim/record/recorder.hpp"

#include "policies/engine_instances.hpp"

namespace bursar::inline policies {

Outcome simulate_ledger(const Plan& plan,
                        const JobOrder& order,
                        const PolicyChoice& choice,
                        Workspace& workspace) {
    NullRecorder none;
    return run_choice<OneLane, NullRecorder>(
        plan, order, engine_choice(plan, choice), workspace, [&]() -> NullRecorder& {
            return none;
        });
}

} // namespace bursar::inline policies
