#include "tools/simulate/give_back_in_run.hpp"

#include <stdexcept>

#include "sim/record/give_back.hpp"

#include "policies/simulate.hpp"

namespace bursar { inline namespace tools {

void give_back_in_run(const Plan& plan,
                      Duration when,
                      const PolicyChoice& choice,
                      Workspace& workspace,
                      Outcome& outcome) {
    if (!plan.moves() || !gives_back(plan) || when >= outcome.end) {
        give_back(plan, when, nullptr, outcome);
        return;
    }
    const Plan from_then = measured_from(plan, when);
    const Outcome later =
        simulate_ledger(from_then, order_for(from_then, choice), choice, workspace);
    if (later.events != outcome.events || later.num_finished != outcome.num_finished)
        throw std::logic_error{"a run measured later is another run"};
    give_back(plan, when, &later, outcome);
}

}} // namespace bursar::tools
