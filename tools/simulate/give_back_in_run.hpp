#pragma once

#include "sim/engine/workspace.hpp"
#include "sim/plan/plan.hpp"
#include "sim/record/outcome.hpp"

#include "policies/policy_choice.hpp"

namespace bursar { inline namespace tools {

/// give_back() of a run, in whatever world: where that moves, the run is made once more to learn
/// what its on-demand and spot pools held from `when` on. plan: as it was run.
void give_back_in_run(const Plan& plan,
                      Duration when,
                      const PolicyChoice& choice,
                      Workspace& workspace,
                      Outcome& outcome);

}} // namespace bursar::tools
